libhawser_la_SOURCES += src/launch/pmi.h src/launch/pmi.c src/launch/pmi_env.h src/launch/pmi_env.c src/launch/pmi_wire.h src/launch/pmi_wire.c
