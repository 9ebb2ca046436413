/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_wait: the wait in a barrier of the start.
 */
#ifndef HWS_LAUNCH_PMI_WAIT_H
#define HWS_LAUNCH_PMI_WAIT_H

struct hws_pmi;

/* Waits for the end of the barrier that has begun. HWS_OK, HWS_ECLOSED, or HWS_EPMI: the launcher failed, a rank of
 * this host has ended, or others have not come for as long as hws_pmi_open() was told; hws_pmi_reason() says which. */
int hws_pmi_wait_barrier(struct hws_pmi *p);

#endif
