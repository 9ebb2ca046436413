libhawser_la_SOURCES += src/coll/schedule/cast.h src/coll/schedule/cast.c src/coll/flat/multicast.h src/coll/flat/multicast.c src/coll/flat/bcast_multicast.c src/coll/flat/allgather_multicast.c \
	src/coll/flat/allreduce_multicast.c src/coll/flat/barrier_multicast.c src/coll/flat/scatter_multicast.c src/coll/schedule/call.h src/coll/schedule/call.c src/coll/run.h src/coll/run.c src/coll/schedule/data.h src/coll/schedule/data.c src/coll/schedule/sched.h \
	src/coll/schedule/sched.c src/coll/schedule/sched_priv.h src/coll/schedule/sched_build.c src/coll/schedule/sched_memory.c src/coll/schedule/sched_run.h \
	src/coll/schedule/sched_run.c src/coll/select/select.h src/coll/select/select.c src/coll/select/algorithm.h src/coll/select/algorithm.c src/coll/flat/tree.h \
	src/coll/flat/blocks.h src/coll/flat/blocks.c src/coll/flat/halving.h src/coll/flat/halving.c src/coll/flat/reduce_scatter.h \
	src/coll/flat/barrier_dissemination.c src/coll/flat/barrier_tree.c src/coll/flat/bcast_binomial.c src/coll/flat/bcast_chain.c \
	src/coll/flat/bcast_scatter_allgather.c src/coll/flat/gather_binomial.c src/coll/flat/gather_linear.c \
	src/coll/flat/scatter_binomial.c src/coll/flat/scatter_linear.c src/coll/flat/allgather_bruck.c src/coll/flat/allgather_doubling.c \
	src/coll/flat/allgather_ring.c src/coll/flat/allgather_tree.c src/coll/flat/alltoall_bruck.c src/coll/flat/alltoall_pairwise.c \
	src/coll/flat/alltoall_linear.c src/coll/flat/alltoall_tree.c src/coll/flat/alltoall_exchange.c src/coll/flat/reduce_binomial.c \
	src/coll/flat/reduce_rabenseifner.c src/coll/flat/allreduce_doubling.c src/coll/flat/allreduce_tree.c src/coll/flat/allreduce_star.c \
	src/coll/flat/allreduce_rabenseifner.c src/coll/flat/allreduce_ring.c src/coll/flat/reduce_scatter_halving.c \
	src/coll/flat/reduce_scatter_pairwise.c src/coll/flat/reduce_scatter_tree.c src/coll/flat/scan_doubling.c src/coll/flat/scan_linear.c src/coll/flat/inter.c src/coll/flat/neighbor.c src/coll/form.c \
	src/coll/shm/shm.h src/coll/shm/direct.h src/coll/shm/direct.c src/coll/shm/barrier_shm.c src/coll/shm/bcast_shm.c src/coll/shm/reduce_shm.c src/coll/shm/allgather_shm.c \
	src/coll/shm/alltoall_shm.c src/coll/shm/gather_shm.c src/coll/shm/reduce_scatter_shm.c src/coll/shm/reduce_shm.h src/coll/flat/barrier.h \
	src/coll/shm/pairs.h src/coll/shm/sit_out.h src/coll/shm/sit_out.c src/coll/shm/alltoallv_shm.c src/coll/levels/levels.h src/coll/levels/levels.c \
	src/coll/levels/levels_vectors.c src/coll/levels/levels_blocks.c src/coll/levels/gatherv.c src/coll/levels/alltoallv.c
