/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cancel: MPI_Cancel of a send (MPI 5.0 section 3.8.4). The request is complete once the send is over and the engine
 * knows whether it was taken back; one that was complete already is so again when the answer is there.
 */
#ifndef HWS_CORE_CANCEL_H
#define HWS_CORE_CANCEL_H

#include "core/request/request.h"

struct hws_send_cancel {
    struct hws_cancel_op op;
    struct hws_request *req;
};

/* Asks once. Under the engine's lock. MPI class. */
int hws_send_cancel(struct hws_request *r);

/* The answer is due: the request must not complete yet. */
static inline bool hws_send_is_asked(const struct hws_request *r)
{
    return __builtin_expect(r->cancel != NULL, 0) && !r->cancel->op.done;
}

/* Before the request is started again, or freed. */
void hws_send_forget_cancel(struct hws_request *r);

#endif
