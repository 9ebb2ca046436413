# src/mpirun
