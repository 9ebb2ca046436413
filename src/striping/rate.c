/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate: a ring of slots, each some busy time and what drained in it; the sums over the ring are the answer. A full slot
 * makes the oldest one empty. Two full slots one after the other that are both twice as fast as those before, or both
 * half as fast, mean that the link has changed: all before them is forgotten. One alone may be chance (a burst that a
 * shaper lets pass, a receiver that was not scheduled).
 */
#include "striping/rate.h"

typedef unsigned __int128 wide;

static const uint64_t SECOND = 1000000000u;

/* A slot is full when it has so much time and so many bytes; HWS_RATE_SLOT_NS of time is enough by itself. */
static const uint64_t SLOT_MIN_NS = 4000000, SLOT_BYTES = 512 << 10;

/* With less than this on the way the receiver may delay its acknowledgment, by 40 ms or until its process reads (Linux,
 * for the last odd segment), so a wait for such a tail counts up to TAIL_NS and so many times what it should take, and
 * not for less than LEAST_FEW. */
static const uint64_t TAIL_BYTES = 16 << 10, TAIL_NS = 250000, TAIL_TIMES = 10;
static const uint64_t TAIL_RATE = 10000000; /* bytes/s, while the lane's is not known */

/* A busy time in which there never was as much as TAIL_BYTES takes the round trip and whatever the receiver lets it
 * wait, however fast the link is, and those that are over soon are not seen. It tells that the lane is slow if it had
 * LEAST_FEW and so many before it were slow too. */
static const uint64_t LEAST_FEW = 4 << 10;
enum { SLOW_TIMES = 4 };

/* Less than such a part of a busy time's bytes, if it drains first, is what was left of the time before; last, it does
 * not matter. */
enum { TAIL_PARTS = 8 };

/* So many at once are a burst. */
static const uint64_t BURST_BYTES = 32 << 10;

/* With so many there is more to see than what the first look shows. */
static const uint64_t LONG_BYTES = 96 << 10;

/* What a shaper lets pass at once is seen, and the rest, which waits, may be over before somebody looks: of a busy time
 * of fewer bytes, and shorter than HWS_RATE_MIN_NS, nothing counts unless the rest was at least as fast. */
static const uint64_t HELD_BYTES = 256 << 10;

/* When nothing drains, so long one waits for what comes before one counts the time: bytes arrive in lumps. */
static const uint64_t PATIENCE_NS = 20000000;

/* The end of a busy time counts if the last look before it was so near, in parts of the busy time; nearer where few
 * bytes are all there is. */
enum { END_PARTS = 4, FEW_END_PARTS = 8 };

/* A peak is taken from this much busy time: a shaper's bucket must not count as the link. One that takes the place of a
 * doubted one is taken from BURST_BYTES, too, and time in which a doubted lane stands still does not count: it would
 * have a peak of nothing else, be as good as that at once, and never be tried again. */
static const uint64_t PEAK_NS = 16000000;

/* Of middle messages: what is seen to take so many times as long as expected is slow, and what is expected less by such
 * a part; what is over before a second look, and within QUICK_NS or nearly as soon as expected, brings it back by
 * parts. */
enum { MUCH_TIMES = 3, SLOW_PARTS = 16, QUICK_PARTS = 64 };
static const uint64_t QUICK_NS = 100000, LEAST_MIDDLE = 8 << 10;

/* It tells of the link if no other lane is busy, or if this one had had nothing to do for so many times as long: where
 * all carry as much as their shapers let pass each message takes long, however quick the links are. */
enum { REST_TIMES = 2 };

static void drop_slot(struct hws_rate *r, unsigned i)
{
    r->sum_bytes -= r->bytes[i];
    r->sum_ns -= r->ns[i];
    r->bytes[i] = r->ns[i] = 0;
}

static uint64_t per_second(uint64_t bytes, uint64_t ns)
{
    wide rate = (wide)bytes * SECOND / ns;
    return rate == 0 ? 1 : rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}

static void note_range(struct hws_rate *r)
{
    struct hws_rate_full *f = &r->full;
    *f = (struct hws_rate_full){0};
    for (unsigned i = 0; i < HWS_RATE_SLOTS; i++) {
        uint64_t rate = r->ns[i] ? per_second(r->bytes[i], r->ns[i]) : 0;
        f->n += rate > 0;
        f->fastest = rate > f->fastest ? rate : f->fastest;
        f->slowest = rate && (rate < f->slowest || !f->slowest) ? rate : f->slowest;
    }
}

/* How the slot being filled differs from the others, leaving out the one before it if that differed itself. */
static int compare_slot(const struct hws_rate *r, unsigned before)
{
    uint64_t bytes = r->bytes[r->slot], ns = r->ns[r->slot];
    uint64_t other_bytes = r->sum_bytes - bytes, other_ns = r->sum_ns - ns;
    if (r->odd) {
        other_bytes -= r->bytes[before];
        other_ns -= r->ns[before];
    }
    if (other_ns == 0)
        return 0;
    if ((wide)bytes * other_ns > 2 * (wide)other_bytes * ns)
        return 1;
    return 2 * (wide)bytes * other_ns < (wide)other_bytes * ns ? -1 : 0;
}

static void note_peak(struct hws_rate *r)
{
    bool is_better = r->peak == HWS_RATE_NO_PEAK ? r->fresh_bytes >= BURST_BYTES : hws_rate_of(r) > r->peak;
    if (r->sum_ns >= PEAK_NS && is_better)
        r->peak = hws_rate_of(r);
}

static void close_slot(struct hws_rate *r)
{
    unsigned before = (r->slot + HWS_RATE_SLOTS - 1) % HWS_RATE_SLOTS;
    int odd = compare_slot(r, before);
    bool is_changed = odd && odd == r->odd;
    for (unsigned i = 0; is_changed && i < HWS_RATE_SLOTS; i++)
        if (i != r->slot && i != before)
            drop_slot(r, i);
    r->odd = is_changed ? 0 : odd;
    note_peak(r);
    note_range(r);
    r->slot = (r->slot + 1) % HWS_RATE_SLOTS;
    r->n_full++;
    drop_slot(r, r->slot);
}

static void count(struct hws_rate *r, uint64_t bytes, uint64_t ns)
{
    if (ns > HWS_RATE_WINDOW_NS) { /* a single look must not outweigh all others for long */
        wide scaled = (wide)bytes * HWS_RATE_WINDOW_NS / ns;
        bytes = (uint64_t)scaled;
        ns = HWS_RATE_WINDOW_NS;
    }
    if (r->peak == HWS_RATE_NO_PEAK && !bytes)
        return;
    if (ns >= HWS_RATE_SLOT_NS && r->ns[r->slot] > 0)
        close_slot(r);
    r->fresh_bytes += bytes;
    r->bytes[r->slot] += bytes;
    r->ns[r->slot] += ns;
    r->sum_bytes += bytes;
    r->sum_ns += ns;
    r->idle_ns = r->unseen_ns = 0;
    r->is_known |= r->sum_ns >= HWS_RATE_MIN_NS;
    uint64_t slot_ns = r->ns[r->slot];
    if (slot_ns >= HWS_RATE_SLOT_NS || (slot_ns >= SLOT_MIN_NS && r->bytes[r->slot] >= SLOT_BYTES))
        close_slot(r);
}

/* Half the time for the same bytes: twice the rate, and half the weight against what is measured next. */
static void halve_time(struct hws_rate *r)
{
    r->sum_ns = 0;
    for (unsigned i = 0; i < HWS_RATE_SLOTS; i++)
        r->sum_ns += r->ns[i] /= 2;
    r->is_known &= r->sum_bytes > 0 && r->sum_ns > 0;
}

static void age(struct hws_rate *r, uint64_t ns)
{
    r->idle_ns += ns;
    r->unseen_ns += ns;
    uint64_t most = r->peak == HWS_RATE_NO_PEAK && r->fastest_other ? r->fastest_other : r->peak;
    for (; r->idle_ns >= SECOND && r->is_known && hws_rate_of(r) <= most / 2; r->idle_ns -= SECOND)
        halve_time(r);
    r->idle_ns %= SECOND;
}

/* The lane has been busy since the last look, with as much as tells of the link. */
static bool is_full(const struct hws_rate *r)
{
    return r->state == HWS_RATE_BUSY && r->busy.most >= TAIL_BYTES && r->backlog >= LEAST_FEW;
}

static bool is_delayed(const struct hws_rate *r, uint64_t ns, uint64_t bytes)
{
    uint64_t rate = r->is_known ? hws_rate_of(r) : TAIL_RATE;
    return ns > TAIL_NS + TAIL_TIMES * bytes * SECOND / rate;
}

/* Whether the lane's time since r->at_ns counts; it was busy, and had nothing left before now if is_idle. */
static bool is_telling(const struct hws_rate *r, uint64_t now_ns, uint64_t bytes, bool is_idle)
{
    uint64_t ns = now_ns - r->at_ns;
    if (r->backlog < TAIL_BYTES && is_delayed(r, ns, bytes))
        return false;
    if (!is_idle || now_ns - r->looked_ns <= (now_ns - r->busy.since_ns) / END_PARTS)
        return true;
    /* It is at least so fast. Less time may be the bucket of a shaper. */
    return r->is_known && ns >= HWS_RATE_MIN_NS && (wide)bytes * SECOND > (wide)hws_rate_of(r) * ns;
}

/* Whether a busy time of few bytes, over now, counts. */
static bool is_slow_again(struct hws_rate *r, uint64_t ns, uint64_t bytes, bool is_watched)
{
    if (bytes < LEAST_FEW)
        return false;
    if (!is_watched && (wide)bytes * SECOND > (wide)TAIL_RATE * ns)
        r->n_slow = 0;
    if (!is_watched || is_delayed(r, ns, bytes))
        return false;
    if (r->n_slow < SLOW_TIMES)
        r->n_slow++;
    return r->n_slow == SLOW_TIMES;
}

/* More has drained than there was, which was little: it had more to do in between, nobody knows when. */
static bool is_refilled(const struct hws_rate *r, uint64_t bytes)
{
    return bytes > r->backlog && r->backlog < TAIL_BYTES;
}

/* Until the first acknowledgment of a busy time comes back, behind what goes the other way, nothing seems to drain: if
 * that counted, a lane would count for less the less it has, and be given less and less. What it brings is left out if
 * there is more to see; else the way there and back. */
static bool is_first(struct hws_rate *r, uint64_t bytes, bool is_idle)
{
    bool is_tail = bytes < r->busy.most / TAIL_PARTS;
    bool has_more = is_tail || r->looked_ns > r->busy.since_ns || r->busy.most >= LONG_BYTES;
    bool is_first = bytes > 0 && !r->busy.has_moved && !is_idle && has_more;
    r->busy.has_moved |= bytes > 0;
    return is_first;
}

static uint64_t without_way(const struct hws_rate *r, uint64_t ns)
{
    return ns / 2 > r->rtt_ns ? ns - r->rtt_ns : ns - ns / 2;
}

/* So much has drained in at most that time; where it was over before a second look, more is not known. */
static void note_burst(struct hws_rate *r, uint64_t bytes, uint64_t ns, bool is_idle)
{
    uint64_t rate = bytes >= BURST_BYTES ? per_second(bytes, ns) : 0;
    r->burst = rate > r->burst ? rate : r->burst;
    if (is_idle && r->at_ns == r->busy.since_ns && rate > r->floor)
        r->floor = rate;
}

static void note_middle(struct hws_rate *r, uint64_t bytes, uint64_t ns)
{
    uint64_t least = per_second(bytes, ns), more = r->said > r->middle ? r->said - r->middle : 0;
    bool is_unseen = r->looked_ns == r->busy.since_ns, is_slow = least < r->middle / MUCH_TIMES;
    if (is_unseen && least > r->middle)
        r->middle = least;
    else if (is_unseen && (!is_slow || ns <= QUICK_NS))
        r->middle += more / QUICK_PARTS;
    else if (!is_unseen && is_slow && (!r->is_beside || r->busy.rested_ns >= REST_TIMES * ns))
        r->middle -= r->middle / SLOW_PARTS;
}

/* What a whole busy time tells, beside what is counted of its parts. */
static void end_busy(struct hws_rate *r, uint64_t now_ns, uint64_t drained)
{
    uint64_t bytes = drained - r->busy.from, ns = now_ns - r->busy.since_ns;
    bool is_watched = now_ns - r->looked_ns <= ns / FEW_END_PARTS;
    if (bytes >= LEAST_MIDDLE)
        note_middle(r, bytes, ns);
    if (r->busy.most < TAIL_BYTES && r->busy.few_ns && is_slow_again(r, r->busy.few_ns, bytes, is_watched))
        count(r, r->busy.few_bytes, r->busy.few_ns);
}

static void note_backlog(struct hws_rate *r, uint64_t backlog)
{
    r->backlog = backlog;
    if (backlog > r->busy.most)
        r->busy.most = backlog;
}

static void begin_busy(struct hws_rate *r, uint64_t now_ns, uint64_t drained)
{
    uint64_t rested_ns = r->state == HWS_RATE_BUSY ? 0 : now_ns - r->over_ns;
    r->busy = (struct hws_rate_busy){.since_ns = now_ns, .rested_ns = rested_ns, .from = drained};
}

static void add_part(struct hws_rate *r, uint64_t now_ns, uint64_t bytes, bool is_idle)
{
    uint64_t ns = now_ns - r->at_ns;
    if (r->at_ns == r->busy.since_ns)
        ns = without_way(r, ns);
    if (is_full(r) && is_telling(r, now_ns, bytes, is_idle)) {
        r->busy.held_bytes += bytes;
        r->busy.held_ns += ns;
    } else if (r->busy.most < TAIL_BYTES) {
        r->busy.few_bytes += bytes;
        r->busy.few_ns += ns;
    } else if (is_idle && bytes > r->busy.most / TAIL_PARTS &&
               (wide)bytes * r->busy.held_ns < (wide)r->busy.held_bytes * ns) {
        return; /* it may have been slower than what was seen */
    }
    if (r->busy.held_ns && (is_idle || r->busy.held_bytes >= HELD_BYTES || r->busy.held_ns >= HWS_RATE_MIN_NS)) {
        count(r, r->busy.held_bytes, r->busy.held_ns);
        r->busy.held_bytes = r->busy.held_ns = 0;
    }
}

void hws_rate_update(struct hws_rate *r, uint64_t now_ns, uint64_t drained_total_bytes, uint64_t backlog_bytes)
{
    if (drained_total_bytes < r->drained)
        r->state = HWS_RATE_NEW;
    uint64_t ns = now_ns - r->at_ns, bytes = drained_total_bytes - r->drained;
    bool is_idle = backlog_bytes == 0, was_busy = r->state == HWS_RATE_BUSY;
    unsigned n_full = r->n_full;
    if (was_busy && !is_idle && (ns == 0 || (bytes == 0 && ns < PATIENCE_NS + r->rtt_ns))) {
        r->looked_ns = now_ns;
        note_backlog(r, backlog_bytes);
        return;
    }
    bool is_seen = was_busy && ns > 0 && !is_refilled(r, bytes);
    if (is_seen)
        note_burst(r, bytes, ns, is_idle);
    if (is_seen && !is_first(r, bytes, is_idle))
        add_part(r, now_ns, bytes, is_idle);
    if (is_seen && is_idle)
        end_busy(r, now_ns, drained_total_bytes);
    if (was_busy && is_idle)
        r->over_ns = now_ns;
    if (r->n_full != n_full)
        r->filled_ns = now_ns;
    if (r->state == HWS_RATE_IDLE)
        age(r, ns);
    if (!was_busy || !is_seen)
        begin_busy(r, now_ns, drained_total_bytes);
    note_backlog(r, backlog_bytes);
    r->state = is_idle ? HWS_RATE_IDLE : HWS_RATE_BUSY;
    r->at_ns = r->looked_ns = now_ns;
    r->drained = drained_total_bytes;
}

uint64_t hws_rate_of(const struct hws_rate *r)
{
    return r->is_known ? per_second(r->sum_bytes, r->sum_ns) : 0;
}

uint64_t hws_rate_last(const struct hws_rate *r)
{
    unsigned last = (r->slot + HWS_RATE_SLOTS - 1) % HWS_RATE_SLOTS;
    return r->ns[last] ? per_second(r->bytes[last], r->ns[last]) : 0;
}

/* The fastest slot that is not among the taken ones; there is one. */
static unsigned fastest_slot(const struct hws_rate *r, unsigned taken)
{
    unsigned best = HWS_RATE_SLOTS;
    for (unsigned i = 0; i < HWS_RATE_SLOTS; i++)
        if (!(taken & 1u << i) && r->ns[i] &&
            (best == HWS_RATE_SLOTS || (wide)r->bytes[i] * r->ns[best] > (wide)r->bytes[best] * r->ns[i]))
            best = i;
    return best;
}

uint64_t hws_rate_fast(const struct hws_rate *r)
{
    uint64_t bytes = 0, ns = 0;
    for (unsigned taken = 0; ns < r->sum_ns - ns;) {
        unsigned i = fastest_slot(r, taken);
        taken |= 1u << i;
        bytes += r->bytes[i];
        ns += r->ns[i];
    }
    return ns ? per_second(bytes, ns) : 0;
}

void hws_rate_doubt(struct hws_rate *r)
{
    uint64_t bytes = r->is_known ? (uint64_t)((wide)r->sum_bytes * HWS_RATE_MIN_NS / r->sum_ns) : 0;
    for (unsigned i = 0; i < HWS_RATE_SLOTS; i++)
        drop_slot(r, i);
    r->odd = 0;
    r->full = (struct hws_rate_full){0};
    r->is_known = bytes > 0;
    r->bytes[r->slot] = r->sum_bytes = bytes;
    r->ns[r->slot] = r->sum_ns = bytes > 0 ? HWS_RATE_MIN_NS : 0;
    r->peak = HWS_RATE_NO_PEAK;
    r->fresh_bytes = 0;
    r->busy.held_bytes = r->busy.held_ns = 0;
    r->unseen_ns = 0;
}
