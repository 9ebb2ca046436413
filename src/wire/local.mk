libhawser_la_SOURCES +=
