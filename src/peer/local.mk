libhawser_la_SOURCES += src/peer/areas.h src/peer/attempt.h src/peer/config.h src/peer/engine.h src/peer/info.h src/peer/ops.h \
  src/peer/peer.c src/peer/priv.h src/peer/shm.h src/peer/spin.c src/peer/spin.h
libhawser_la_SOURCES += src/peer/lane/cut.c src/peer/lane/in.c src/peer/lane/kept.c src/peer/lane/out.c
libhawser_la_SOURCES += src/peer/conn/ask.c src/peer/conn/auth.c src/peer/conn/connect.c src/peer/conn/headon.h src/peer/conn/knock.c \
  src/peer/conn/paths.c src/peer/conn/socket.c src/peer/conn/watch.c
libhawser_la_SOURCES += src/peer/msg/cancel.c src/peer/msg/early.c src/peer/msg/grant.c src/peer/msg/hold.c src/peer/msg/recv.c \
  src/peer/msg/send.c
libhawser_la_SOURCES += src/peer/shm/recv.c src/peer/shm/send.c src/peer/shm/shm.c src/peer/shm/wait.c
libhawser_la_SOURCES += src/peer/engine/area.c src/peer/engine/engine.c src/peer/engine/figures.c src/peer/engine/gone.c \
  src/peer/engine/tell.c src/peer/engine/wait.c
