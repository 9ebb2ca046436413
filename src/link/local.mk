libhawser_la_SOURCES += src/link/net/addr.h src/link/net/addr.c src/link/net/card.h src/link/net/card.c src/link/net/pairs.h src/link/net/pairs.c
libhawser_la_SOURCES += src/link/net/netif.h src/link/net/netif.c src/link/net/netif_select.c src/link/net/site.h src/link/net/site.c
libhawser_la_SOURCES += src/link/link.h src/link/tcp/tcp.h src/link/tcp/tcp_priv.h src/link/tcp/turns.h src/link/tcp/left.h src/link/tcp/tcp.c src/link/tcp/tcp_transport.c src/link/mem/mem.h src/link/mem/mem.c
libhawser_la_SOURCES += src/link/net/relay.h src/link/net/relay.c
libhawser_la_SOURCES += src/link/net/steer.h src/link/net/steer.c
libhawser_la_SOURCES += src/link/trc/trc.h src/link/trc/trc_priv.h src/link/trc/trc.c src/link/trc/trc_send.c src/link/trc/trc_recv.c src/link/trc/trc_stream.c src/link/trc/trc_state.c src/link/trc/trc_transport.c
libhawser_la_SOURCES += src/link/sctp/sctp.h
if HAVE_SCTP
libhawser_la_SOURCES += src/link/sctp/sctp_priv.h src/link/sctp/sctp.c src/link/sctp/sctp_assoc.c src/link/sctp/sctp_tail.c src/link/sctp/sctp_auth.c src/link/sctp/sctp_transport.c
libhawser_la_SOURCES += src/link/sctp/sctp_lib.h src/link/sctp/sctp_lib.c
else
libhawser_la_SOURCES += src/link/sctp/sctp_none.c
endif
libhawser_la_SOURCES += src/link/kinds/kinds.h src/link/kinds/kinds.c
