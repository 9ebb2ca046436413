/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/silence.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <unistd.h>

/* A silence may last LOOKS looks; something is said at every other one. */
enum { LIMIT_MS = 80, LOOKS = 8, MANY = 20 };

struct test {
    struct hws_silence silence;
    struct hws_loop *loop;
    int ends[2];
    int n_beats, n_silent;
    int max_beats; /* then the loop is ended */
    bool hears;    /* something is heard at each beat */
    int write_at;  /* the beat at which a byte comes that nobody reads */
    int stand_at;  /* the beat at which this process does not run, for longer than a silence may last */
};

static void beat(void *arg)
{
    struct test *t = arg;
    t->n_beats++;
    if (t->hears)
        hws_silence_heard(&t->silence);
    if (t->n_beats == t->write_at)
        cr_assert_eq(write(t->ends[1], "x", 1), 1);
    if (t->n_beats == t->stand_at)
        usleep(3 * LIMIT_MS * 1000);
    if (t->n_beats == t->max_beats)
        hws_loop_stop(t->loop);
}

static void on_silent(void *arg)
{
    struct test *t = arg;
    t->n_silent++;
    hws_loop_stop(t->loop);
}

static void begin(struct test *t)
{
    t->loop = hws_loop_open();
    cr_assert(t->loop && pipe(t->ends) == 0);
    hws_silence_init(&t->silence, t->loop, beat, on_silent, t);
    hws_silence_watch(&t->silence, t->ends[0], LIMIT_MS);
}

Test(silence, who_says_nothing_for_eight_looks_is_silent, .timeout = 60)
{
    struct test t = {.n_beats = 0};
    begin(&t);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent, 1);
    cr_assert_eq(t.n_beats, LOOKS / 2);
}

Test(silence, who_is_heard_is_not, .timeout = 60)
{
    struct test t = {.hears = true, .max_beats = MANY};
    begin(&t);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent, 0);
}

Test(silence, what_has_come_and_was_not_read_yet_counts, .timeout = 60)
{
    struct test t = {.write_at = LOOKS / 2, .max_beats = MANY};
    begin(&t);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent, 0);
}

Test(silence, time_in_which_this_process_stood_still_is_one_look, .timeout = 60)
{
    struct test t = {.stand_at = 1};
    begin(&t);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent, 1);
    cr_assert_eq(t.n_beats, LOOKS / 2, "it was called silent after %d beats", t.n_beats);
}

static void stop(void *arg)
{
    hws_loop_stop(arg);
}

Test(silence, without_a_limit_nothing_is_watched, .timeout = 60)
{
    struct test t = {.n_beats = 0};
    begin(&t);
    hws_silence_watch(&t.silence, -1, 0);
    hws_loop_timer_start(hws_loop_timer(t.loop, stop, t.loop), 3 * LIMIT_MS / 1000.0);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent + t.n_beats, 0);
}

Test(silence, watched_anew_it_has_its_whole_time, .timeout = 60)
{
    struct test t = {.max_beats = 2};
    begin(&t);
    hws_loop_run(t.loop);
    t.max_beats = t.n_beats = 0;
    hws_silence_watch(&t.silence, t.ends[0], LIMIT_MS);
    hws_loop_run(t.loop);
    cr_assert_eq(t.n_silent, 1);
    cr_assert_geq(t.n_beats, LOOKS / 2);
}
