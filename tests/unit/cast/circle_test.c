/* SPDX-License-Identifier: BSD-3-Clause
 *
 * circle_test: how often a member says hello, by when it hears the other one. Time is an argument, and nothing leaves:
 * the interface has no socket.
 */
#include <criterion/criterion.h>

#include "base/clock.h"
#include "cast/net/station_priv.h"

enum { SCHEDULED = 8 }; /* hellos that are said without being asked for */

static struct hws_station *station;
static struct hws_circle circle;
static struct hws_nic nic;
static struct sockaddr_storage members[2];
static bool heard[2];

static void setup(void)
{
    struct hws_seal seal = {.key = {1}};
    char err[128];
    cr_assert_eq(hws_station_open(&seal, NULL, 0, &station, err, sizeof err), HWS_OK);
    nic = (struct hws_nic){.own = -1, .group = -1};
    heard[0] = true;
    circle = (struct hws_circle){.station = station,
                                 .group = {.id = 1, .n = 2},
                                 .nic = &nic,
                                 .members = members,
                                 .heard = heard,
                                 .n_heard = 1,
                                 .began_ns = hws_clock_ns()};
    cr_assert_eq(hws_cast_group_init(&circle.group), HWS_OK);
    pthread_mutex_lock(&station->mutex);
}

static void teardown(void)
{
    hws_cast_group_fini(&circle.group);
    pthread_mutex_unlock(&station->mutex);
    hws_station_close(station);
}

static void tick(unsigned ms)
{
    hws_circle_tick(&circle, circle.began_ns + ms * HWS_NS_PER_MS);
}

static void come(void)
{
    struct hws_cast_packet hello = {.kind = HWS_CAST_IS_HELLO, .group = 1, .from = 1, .of = 1};
    hws_circle_take(&circle, &hello, hws_clock_ns());
}

TestSuite(circle, .init = setup, .fini = teardown);

Test(circle, who_is_late_hears_one_more)
{
    tick(200);
    cr_assert_eq(circle.n_hellos, SCHEDULED);
    come();
    cr_assert_eq(circle.n_hellos, SCHEDULED + 1);
    cr_assert(hws_circle_has_met(&circle));
    come();
    tick(300);
    cr_assert_eq(circle.n_hellos, SCHEDULED + 1, "it was heard before");
}

Test(circle, who_is_not_late_hears_what_is_to_be_said)
{
    tick(0);
    come();
    cr_assert_eq(circle.n_hellos, 1);
    tick(200);
    cr_assert_eq(circle.n_hellos, SCHEDULED);
}
