libhawser_la_SOURCES += src/striping/stripe.h src/striping/stripe.c src/striping/rate.h src/striping/rate.c src/striping/pace.h src/striping/pace.c src/striping/stall.h src/striping/stall.c
