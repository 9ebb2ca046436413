/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe: every question is one of time. A lane is busy for `busy_ns` with what it has; from then on it moves `rate`
 * bytes a second. Bytes poured over all lanes like water rise to the level, the time at which all are done together,
 * and a lane's share is what fits between its busy_ns and the level.
 *
 * Rates are cut at 2^48 bytes/s and times at 2^60 ns, so that a sum of 32 products fits 128 bits.
 */
#include "striping/stripe.h"

#include <assert.h>

typedef unsigned __int128 wide;

static const uint64_t NS = 1000000000u; /* a second */
static const uint64_t RATE_MAX = (uint64_t)1 << 48;
static const uint64_t TIME_MAX = (uint64_t)1 << 60;
static const uint64_t RATE_GUESS = 125000000; /* when no lane's is known: only the ratio to latencies depends on it */

/* Pieces of max_frag that a lane of unknown rate gets to be measured by; enough for a first answer up to 2 Gb/s, and a
 * slow one does not swallow a buffer full before anybody knows. */
enum { UNKNOWN_PIECES = 2 };

/* What would be left for others is taken along if it is less than such a part of min_frag: no fragments of a byte. */
enum { CRUMB = 2 };

/* A lane that is later than the first by less than such a part of the time is as good. */
enum { NEAR_PARTS = 4 };

/* Bytes of a message, or less, that shapers may let pass faster than what follows. */
enum { MIDDLE = 512 << 10 };

/* A rate that was measured for a moment only may be off by such a factor. */
enum { CHANCE = 4 };

/* Bursts that are so many times as fast as a lane is are let pass by a shaper's bucket; not so where the lanes are so
 * fast (bytes/s) that a receiver which is late makes as much of a difference. */
enum { BUCKET = 2, FAST = 500000000 };

/* lean(): so much at most: of four lanes the whole message, of two half of it, else the same lane would be behind and
 * ahead in turns. */
enum { LEAN_PARTS = 4 };

/* Bursts go beyond others if they are so many times as fast: each is but what was seen of it. */
enum { BURST_TIMES = 4 };

/* A lane with what is unknown filled in. */
struct view {
    uint64_t rate;    /* bytes/s; 0: not open */
    uint64_t busy_ns; /* until what it has would have arrived */
};

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t time_of(uint64_t bytes, uint64_t rate)
{
    wide ns = (wide)bytes * NS / rate;
    return ns > TIME_MAX ? TIME_MAX : (uint64_t)ns;
}

static uint64_t done_at(const struct view *v, uint64_t bytes)
{
    return min_u64(v->busy_ns + time_of(bytes, v->rate), TIME_MAX);
}

/* What lanes whose rate is not known are believed to do. */
struct belief {
    uint64_t rate;    /* of one with that nominal speed; rates are in proportion */
    uint64_t nominal; /* 0: they are all the same */
};

/* The best known rate; or that which a lane's bursts show, if they go beyond those of the lanes that are known. Bursts
 * alone tell little: a shaper lets them pass, of a slow link as of a fast one. */
static struct belief belief_of(const struct hws_stripe_lane *lanes, size_t n)
{
    struct belief known = {0}, burst = {0};
    uint64_t known_burst = 0, nominal = 0;
    for (size_t i = 0; i < n; i++) {
        const struct hws_stripe_lane *l = &lanes[i];
        if (!l->open)
            continue;
        nominal = max_u64(nominal, l->nominal);
        known_burst = max_u64(known_burst, l->rate ? l->floor : 0);
        if (l->rate > known.rate)
            known = (struct belief){l->rate, l->nominal};
        if (l->floor > burst.rate)
            burst = (struct belief){l->floor, l->nominal};
    }
    if (burst.rate > known.rate && burst.rate / BURST_TIMES > known_burst)
        return burst;
    return known.rate ? known : (struct belief){RATE_GUESS, nominal};
}

static uint64_t rate_of(const struct hws_stripe_lane *l, const struct belief *b)
{
    wide rate = l->rate ? l->rate : b->rate;
    if (!l->rate && l->nominal && b->nominal)
        rate = rate * l->nominal / b->nominal;
    return rate == 0 ? 1 : rate > RATE_MAX ? RATE_MAX : (uint64_t)rate;
}

static bool is_slower(const struct view *v, size_t i, size_t best)
{
    return v[i].rate <= v[best].rate / HWS_STRIPE_SLOWER;
}

/* Whether lane i was as fast at times as a faster one was on average, or that as slow as it was. */
static bool has_been_like(const struct hws_stripe_lane *lanes, const struct view *v, size_t i, size_t best)
{
    return !is_slower(v, i, best) &&
           (lanes[i].fastest >= v[best].rate || (lanes[best].slowest && lanes[best].slowest <= v[i].rate));
}

/* What was measured of lane i may be off by a factor, or, of next to nothing, by any. */
static bool is_chance(const struct hws_stripe_lane *l, const struct view *v, size_t i, size_t best)
{
    return l->is_guess && (!l->slowest || v[i].rate > v[best].rate / CHANCE);
}

/* Of neither lane is there a measure: none of the faster one, or what one late receiver may be of this one. */
static bool is_all_guess(const struct hws_stripe_lane *l, const struct hws_stripe_lane *best)
{
    return l->is_guess && !l->slowest && !best->rate;
}

/* What is measured behind a shaper tells more of how much the lane was given than of what it can do. */
static bool has_bucket(const struct hws_stripe_lane *l, uint64_t rate)
{
    return l->burst / BUCKET >= rate;
}

/* Where a shaper lets bursts pass, a lane's average is mostly of them; how slow it has been is what it can do. */
static bool has_been_as_slow(const struct hws_stripe_lane *l, const struct hws_stripe_lane *best)
{
    return best->slowest && l->fastest >= best->slowest && l->slowest > best->slowest / HWS_STRIPE_SLOWER;
}

/* Whether lane i may be like a faster one, of which a shaper hides it. Who is believed to be slow is given little, of
 * which there is little to see. The faster one need not be known: it is given more, and that shows. */
static bool may_be_like(const struct hws_stripe_lane *lanes, const struct view *v, size_t i, size_t best)
{
    if (is_all_guess(&lanes[i], &lanes[best]))
        return true;
    if (!has_bucket(&lanes[i], v[i].rate) && !has_bucket(&lanes[best], v[best].rate))
        return false;
    return has_been_as_slow(&lanes[i], &lanes[best]) ||
           (v[best].rate < FAST && (is_chance(&lanes[i], v, i, best) || !is_slower(v, i, best)));
}

/* Lanes that are likely the same count as equal: a message is as slow as the lane that was given too much. */
static void level_rates(const struct hws_stripe_lane *lanes, struct view *v, size_t n, uint64_t bytes)
{
    size_t best = 0, n_same = 0;
    for (size_t i = 1; i < n; i++)
        if (v[i].rate > v[best].rate)
            best = i;
    wide sum = 0;
    bool is_same[HWS_MAX_LANES] = {false};
    for (size_t i = 0; i < n; i++) {
        is_same[i] = v[i].rate && (i == best || has_been_like(lanes, v, i, best) ||
                                   (bytes <= MIDDLE && may_be_like(lanes, v, i, best)));
        sum += is_same[i] ? v[i].rate : 0;
        n_same += is_same[i];
    }
    for (size_t i = 0; i < n; i++)
        if (is_same[i])
            v[i].rate = (uint64_t)(sum / n_same);
}

/* Fills v[n] and returns how many are open. */
static size_t look_at(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, struct view *v)
{
    const struct belief belief = belief_of(lanes, n);
    uint64_t least_latency = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (lanes[i].open && lanes[i].latency_ns)
            least_latency = min_u64(least_latency, lanes[i].latency_ns);
    if (least_latency == UINT64_MAX)
        least_latency = 0;
    size_t n_open = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] = (struct view){0};
        if (!lanes[i].open)
            continue;
        n_open++;
        v[i].rate = rate_of(&lanes[i], &belief);
    }
    level_rates(lanes, v, n, bytes);
    for (size_t i = 0; i < n; i++) {
        if (!lanes[i].open)
            continue;
        uint64_t latency = lanes[i].latency_ns ? lanes[i].latency_ns : least_latency;
        v[i].busy_ns = min_u64(time_of(lanes[i].backlog, v[i].rate) + min_u64(latency, TIME_MAX) +
                                   min_u64(lanes[i].stall_ns, TIME_MAX),
                               TIME_MAX);
    }
    return n_open;
}

/* The lane other than `except` that would have `bytes` across first; n if there is none. */
static size_t first_of(const struct view *v, size_t n, size_t except, uint64_t bytes)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (v[i].rate && i != except && (best == n || done_at(&v[i], bytes) < done_at(&v[best], bytes)))
            best = i;
    return best;
}

/* When `bytes` would be across if the lanes other than `except` shared them in pieces as small as they like. Lanes that
 * are busy for longer take no part; each round leaves out those that the round before has shown to be. There is such
 * a lane. */
static uint64_t level_of(const struct view *v, size_t n, size_t except, uint64_t bytes)
{
    uint64_t level = UINT64_MAX, before;
    do {
        wide volume = (wide)bytes * NS, rate = 0;
        before = level;
        for (size_t i = 0; i < n; i++) {
            if (i == except || v[i].rate == 0 || v[i].busy_ns > before)
                continue;
            volume += (wide)v[i].rate * v[i].busy_ns;
            rate += v[i].rate;
        }
        wide t = volume / rate;
        level = t > TIME_MAX ? TIME_MAX : (uint64_t)t;
    } while (level < before);
    return level;
}

/* Whether lane i has `bytes` across at most a quarter later than the one that is first. Lanes that nobody has measured
 * are not believed to be fast: some microseconds of latency would give one of them all. */
static bool is_near(const struct hws_stripe_lane *lanes, const struct view *v, size_t i, size_t first, uint64_t bytes)
{
    struct view a = v[first], b = v[i];
    if (!b.rate)
        return false;
    uint64_t fastest = max_u64(a.rate, b.rate);
    if (!lanes[first].rate && !lanes[i].rate && fastest > RATE_GUESS) {
        a.rate = max_u64(1, (uint64_t)((wide)a.rate * RATE_GUESS / fastest));
        b.rate = max_u64(1, (uint64_t)((wide)b.rate * RATE_GUESS / fastest));
    }
    uint64_t least = done_at(&a, bytes);
    return done_at(&b, bytes) <= least + least / NEAR_PARTS;
}

void hws_stripe_even(uint64_t *ahead, size_t n, uint64_t most)
{
    uint64_t least = UINT64_MAX, best = 0;
    for (size_t i = 0; i < n; i++) {
        least = min_u64(least, ahead[i]);
        best = max_u64(best, ahead[i]);
    }
    if (best > most)
        least = max_u64(least, best - most);
    for (size_t i = 0; i < n; i++)
        ahead[i] -= min_u64(ahead[i], least);
}

size_t hws_stripe_first(const struct hws_stripe_lane *lanes, size_t n, uint64_t bytes, size_t back, bool rotates)
{
    assert(n <= HWS_MAX_LANES);
    struct view v[HWS_MAX_LANES];
    look_at(lanes, n, bytes, v);
    size_t first = first_of(v, n, n, bytes), next = first;
    if (first == n)
        return n;
    bool is_long = time_of(bytes, v[first].rate) > lanes[first].latency_ns;
    for (size_t i = 0; is_long && i < n; i++)
        if (lanes[i].ahead < lanes[next].ahead && is_near(lanes, v, i, first, bytes))
            next = i;
    if (back >= n || !is_near(lanes, v, back, first, bytes))
        return next;
    bool goes_back = !is_long || (!rotates && lanes[back].ahead < lanes[next].ahead + HWS_STRIPE_AHEAD);
    return goes_back ? back : next;
}

static size_t fastest_lane(const struct view *v, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        best = v[i].rate > v[best].rate ? i : best;
    return best;
}

/* The longest piece for a lane: max_frag for the fastest, in proportion for the others. */
static uint64_t piece_of(const struct view *v, size_t n, size_t me, uint64_t min_frag, uint64_t max_frag)
{
    uint64_t fastest = max_u64(v[fastest_lane(v, n)].rate, 1);
    uint64_t piece = (uint64_t)((wide)max_frag * v[me].rate / fastest);
    return piece < min_frag ? min_frag : piece;
}

/* Whether `me` should carry a piece that is more than its share: if it is done with it before the others could be done
 * with everything, or if nobody would be done with it sooner. */
static bool is_worth(const struct view *v, size_t n, size_t me, uint64_t left, uint64_t piece)
{
    uint64_t mine = done_at(&v[me], piece);
    if (mine < level_of(v, n, me, left))
        return true;
    size_t rival = first_of(v, n, me, piece);
    uint64_t theirs = done_at(&v[rival], piece);
    return mine < theirs || (mine == theirs && me < rival);
}

/* Of a message of a middle length those of the faster lanes carry less that have carried more of late: their shaper's
 * bucket, if they have one, is the emptier, and what is measured of such lanes differs by chance. */
static void lean(const struct hws_stripe_lane *lanes, struct view *v, size_t n, uint64_t left)
{
    if (left > MIDDLE)
        return;
    size_t best = fastest_lane(v, n);
    uint64_t most = min_u64(left, left * n / LEAN_PARTS), least = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (!is_slower(v, i, best))
            least = min_u64(least, lanes[i].ahead);
    for (size_t i = 0; i < n; i++)
        if (!is_slower(v, i, best) && lanes[i].ahead - least > HWS_STRIPE_AHEAD)
            v[i].busy_ns = done_at(&v[i], min_u64(lanes[i].ahead - least - HWS_STRIPE_AHEAD, most));
}

uint64_t hws_stripe_take(const struct hws_stripe_lane *lanes, size_t n, size_t me, uint64_t left, uint64_t min_frag,
                         uint64_t max_frag)
{
    assert(n <= HWS_MAX_LANES && me < n && lanes[me].open && min_frag <= max_frag && max_frag > 0);
    struct view v[HWS_MAX_LANES];
    if (look_at(lanes, n, left, v) == 1 || left == 0)
        return min_u64(left, max_frag);
    if (lanes[me].rate == 0 && lanes[me].floor == 0 && lanes[me].backlog / UNKNOWN_PIECES >= max_frag)
        return 0;
    lean(lanes, v, n, left);
    uint64_t least = min_u64(min_frag ? min_frag : 1, left);
    uint64_t level = level_of(v, n, n, left), share = 0;
    if (level > v[me].busy_ns)
        share = (uint64_t)((wide)v[me].rate * (level - v[me].busy_ns) / NS);
    if (share >= least) {
        uint64_t most = piece_of(v, n, me, least, max_frag), piece = min_u64(min_u64(share, left), most);
        return left - piece < least / CRUMB && left <= most ? left : piece;
    }
    return is_worth(v, n, me, left, least) ? least : 0;
}
