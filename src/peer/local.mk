libhawser_la_SOURCES += src/peer/engine.h src/peer/spin.h src/peer/spin.c src/peer/headon.h src/peer/priv.h src/peer/engine.c src/peer/figures.c src/peer/tell.c src/peer/wait.c src/peer/peer.c src/peer/connect.c src/peer/paths.c src/peer/kept.c src/peer/socket.c src/peer/auth.c src/peer/lane_out.c src/peer/lane_in.c src/peer/send.c src/peer/cancel.c src/peer/hold.c src/peer/grant.c src/peer/recv.c
libhawser_la_SOURCES += src/peer/watch.c src/peer/gone.c src/peer/ask.c
libhawser_la_SOURCES += src/peer/shm.h src/peer/shm.c src/peer/shm_send.c src/peer/shm_recv.c src/peer/shm_wait.c src/peer/shm_area.c
libhawser_la_SOURCES += src/peer/lane_cut.c src/peer/recv_early.c src/peer/attempt.h src/peer/knock.c
