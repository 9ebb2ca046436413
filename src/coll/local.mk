libhawser_la_SOURCES += src/coll/call.h src/coll/run.h src/coll/run.c src/coll/data.h src/coll/data.c src/coll/sched.h \
	src/coll/sched.c src/coll/sched_priv.h src/coll/sched_build.c src/coll/sched_memory.c src/coll/sched_run.h \
	src/coll/sched_run.c src/coll/select.h src/coll/select.c src/coll/algorithm.h src/coll/algorithm.c src/coll/tree.h \
	src/coll/blocks.h src/coll/blocks.c src/coll/halving.h src/coll/halving.c src/coll/reduce_scatter.h \
	src/coll/barrier_dissemination.c src/coll/barrier_tree.c src/coll/bcast_binomial.c src/coll/bcast_chain.c \
	src/coll/bcast_scatter_allgather.c src/coll/gather_binomial.c src/coll/gather_linear.c \
	src/coll/scatter_binomial.c src/coll/scatter_linear.c src/coll/allgather_bruck.c src/coll/allgather_doubling.c \
	src/coll/allgather_ring.c src/coll/allgather_tree.c src/coll/alltoall_bruck.c src/coll/alltoall_pairwise.c \
	src/coll/alltoall_linear.c src/coll/alltoall_tree.c src/coll/alltoall_exchange.c src/coll/reduce_binomial.c \
	src/coll/reduce_rabenseifner.c src/coll/allreduce_doubling.c src/coll/allreduce_tree.c src/coll/allreduce_star.c \
	src/coll/allreduce_rabenseifner.c src/coll/allreduce_ring.c src/coll/reduce_scatter_halving.c \
	src/coll/reduce_scatter_pairwise.c src/coll/reduce_scatter_tree.c src/coll/scan_doubling.c src/coll/scan_linear.c src/coll/inter.c src/coll/neighbor.c src/coll/form.c \
	src/coll/shm.h src/coll/barrier_shm.c src/coll/bcast_shm.c src/coll/reduce_shm.c src/coll/allgather_shm.c \
	src/coll/alltoall_shm.c src/coll/gather_shm.c src/coll/gatherv_shm.c src/coll/barrier.h src/coll/two_level_sched.h src/coll/two_level_sched.c \
	src/coll/two_level_sched_blocks.c src/coll/two_level_sched_vectors.c src/coll/two_level_sched_reduce.c src/coll/two_level.h src/coll/two_level.c src/coll/two_level_blocks.c src/coll/two_level_rooted.c src/coll/reduce_scatter_shm.c src/coll/reduce_shm.h src/coll/two_level_scan.c \
	src/coll/pairs.h src/coll/alltoallv_shm.c src/coll/two_level_pairs.c
