libhawser_la_SOURCES += src/peer/areas.h src/peer/config.h src/peer/engine.h src/peer/info.h src/peer/jobs.h src/peer/kinds.h src/peer/ops.h
libhawser_la_SOURCES += src/peer/state/attempt.h src/peer/state/cede.c src/peer/state/cede.h src/peer/state/engine.h src/peer/state/handle.c src/peer/state/handle.h \
  src/peer/state/hot.c src/peer/state/jobs.c src/peer/state/lane.h src/peer/state/lock.c src/peer/state/message.h src/peer/state/peer.c src/peer/state/peer.h \
  src/peer/state/shm.h src/peer/state/socket.h src/peer/state/spin.c src/peer/state/spin.h src/peer/state/up.h
libhawser_la_SOURCES += src/peer/lane/all.c src/peer/lane/cut.c src/peer/lane/in.c src/peer/lane/kept.c src/peer/lane/lane.h \
  src/peer/lane/out.c src/peer/lane/share.c
libhawser_la_SOURCES += src/peer/conn/ask.c src/peer/conn/auth.c src/peer/conn/conn.h src/peer/conn/connect.c src/peer/conn/headon.h \
  src/peer/conn/knock.c src/peer/conn/paths.c src/peer/conn/socket.c src/peer/conn/watch.c
libhawser_la_SOURCES += src/peer/msg/cancel.c src/peer/msg/early.c src/peer/msg/frames.c src/peer/msg/grant.c src/peer/msg/hold.c src/peer/msg/kinds.c \
  src/peer/msg/lost.c src/peer/msg/message.c src/peer/msg/msg.h src/peer/msg/recv.c src/peer/msg/self.c src/peer/msg/send.c \
  src/peer/msg/torn.c
libhawser_la_SOURCES += src/peer/shm/area.c src/peer/shm/frames.c src/peer/shm/later.c src/peer/shm/place.c src/peer/shm/recv.c src/peer/shm/read.c src/peer/shm/send.c src/peer/shm/shm.c src/peer/shm/shm.h \
  src/peer/shm/wait.c
libhawser_la_SOURCES += src/peer/engine/area.c src/peer/engine/calls.c src/peer/engine/engine.c src/peer/engine/figures.c \
  src/peer/engine/generations.c src/peer/engine/gone.c src/peer/engine/next.c src/peer/engine/parts.h src/peer/engine/peers.c src/peer/engine/profile.c src/peer/engine/tell.c \
  src/peer/engine/step.c src/peer/engine/wait.c src/peer/engine/asleep.c src/peer/engine/waiters.c src/peer/engine/waiters.h
