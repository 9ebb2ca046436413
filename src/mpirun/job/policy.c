/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/job/policy.h"

/* A rank that is killed, or a host that is lost, explains whatever else is heard. A rank that ends may do so for
 * another one's death, and that is heard later where the kernel closes sockets before it reports exits. */
const struct hws_policy hws_policy_end = {.name = "end",
                                          .on = {
                                              [HWS_CAUSE_NONE] = HWS_GO_ON,
                                              [HWS_CAUSE_STATUS] = HWS_END_SOON,
                                              [HWS_CAUSE_ABORT] = HWS_END_SOON,
                                              [HWS_CAUSE_EARLY] = HWS_END_SOON,
                                              [HWS_CAUSE_SIGNAL] = HWS_END_NOW,
                                              [HWS_CAUSE_HOST] = HWS_END_NOW,
                                              [HWS_CAUSE_SELF] = HWS_END_NOW,
                                          }};

/* While it is ending soon, only what ends it now makes a difference, or gives it a truer reason. */
enum hws_consequence hws_policy_judge(const struct hws_policy *p, struct hws_failure *found,
                                      const struct hws_failure *news)
{
    enum hws_consequence c = p->on[news->cause];
    bool is_first = found->cause == HWS_CAUSE_NONE;
    if (c == HWS_GO_ON || !hws_failure_is_truer(news, found))
        return HWS_GO_ON;
    *found = *news;
    return c == HWS_END_NOW || is_first ? c : HWS_GO_ON;
}
