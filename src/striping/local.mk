libhawser_la_SOURCES += src/striping/stripe.h src/striping/stripe.c
