/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stand: what a rank does, as far as its host can tell.
 */
#ifndef HWS_MPIRUN_STAND_H
#define HWS_MPIRUN_STAND_H

enum hws_stand {
    HWS_STAND_WAITS,   /* a thread sleeps in an MPI call */
    HWS_STAND_BUSY,    /* in MPI, and no thread of it sleeps there */
    HWS_STAND_STOPPED, /* by a signal */
    HWS_STAND_SILENT,  /* in another library's MPI */
    HWS_STAND_OUTSIDE, /* before MPI_Init, or it has none */
    HWS_STAND_OVER,    /* after MPI_Finalize, or it has ended */
    HWS_STAND_N
};

#endif
