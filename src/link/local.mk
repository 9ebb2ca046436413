libhawser_la_SOURCES += src/link/addr.h src/link/addr.c src/link/card.h src/link/card.c src/link/pairs.h src/link/pairs.c
libhawser_la_SOURCES += src/link/netif.h src/link/netif.c src/link/netif_select.c src/link/site.h src/link/site.c
libhawser_la_SOURCES += src/link/shm_ring.h src/link/shm_segment.h src/link/shm_segment.c
libhawser_la_SOURCES += src/link/link.h src/link/tcp.h src/link/tcp_priv.h src/link/tcp.c src/link/tcp_transport.c src/link/mem.h src/link/mem.c
libhawser_la_SOURCES += src/link/steer.h src/link/steer.c
libhawser_la_SOURCES += src/link/trc.h src/link/trc_priv.h src/link/trc.c src/link/trc_send.c src/link/trc_recv.c src/link/trc_stream.c src/link/trc_transport.c
libhawser_la_SOURCES += src/link/sctp.h
if HAVE_SCTP
libhawser_la_SOURCES += src/link/sctp_priv.h src/link/sctp.c src/link/sctp_assoc.c src/link/sctp_tail.c src/link/sctp_auth.c src/link/sctp_transport.c
libhawser_la_SOURCES += src/link/sctp_lib.h src/link/sctp_lib.c
else
libhawser_la_SOURCES += src/link/sctp_none.c
endif
