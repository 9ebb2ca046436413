/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/remote/host_state.h"

#include <assert.h>

struct row {
    struct hws_lifecycle_state common;
    bool listens, reports;
};

#define TO(state)                                   (1u << HWS_HOST_##state)
#define ROW(state, listens, reports, next, meaning) [HWS_HOST_##state] = {{#state, meaning, next}, listens, reports}

/*           +------------+---------+---------+------------------------------+
 *           | state      | listens | reports | may become                   | */
static const struct row rows[HWS_HOST_N] = {
    ROW(IDLE, false, false, TO(CONNECTING) | TO(ENDED),
        "nothing runs there; a host that is to be reached has its turn yet to come."),
    ROW(CONNECTING, false, false, TO(READY) | TO(LOST) | TO(ENDED),
        "the remote shell runs; the daemon has not answered."),
    ROW(BACKOFF, false, false, TO(IDLE),
        "the attempt failed; a moment after its remote shell is gone the next may be made (-wait-hosts)."),
    ROW(READY, true, true, TO(LOST) | TO(ENDED), "the daemon has answered; it starts ranks of any job when told to."),
    ROW(LOST, false, false, TO(BACKOFF),
        "the remote shell or the connection ended too early, or the host fell silent."),
    ROW(ENDED, false, true, 0, "the daemon was dismissed, or is needed no more."),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_host_lifecycle = HWS_LIFECYCLE("host of mpirun", rows);

void hws_host_become(enum hws_host_state *state, enum hws_host_state next)
{
    assert(hws_lifecycle_allows(&hws_host_lifecycle, *state, next));
    *state = next;
}

bool hws_host_listens(enum hws_host_state state)
{
    return rows[state].listens;
}

bool hws_host_reports(enum hws_host_state state)
{
    return rows[state].reports;
}
