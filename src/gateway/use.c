/* SPDX-License-Identifier: BSD-3-Clause
 *
 * use: slots, and a picture of them: what went out above a line, what came in below it, red where something was sent
 * again.
 */
#include "gateway/use.h"

#include <inttypes.h>
#include <string.h>

#define LEFT   70
#define MIDDLE 110 /* the line */
#define TALL   80  /* of the highest column */
#define BITS   8
#define NS_S   1e9

void use_init(struct use *u, uint64_t now_ns, uint64_t step_ns)
{
    *u = (struct use){.begin_ns = now_ns, .step_ns = step_ns};
}

/* Slots of twice the length. */
static void halve(struct use *u)
{
    const unsigned half = (USE_SLOTS + 1) / 2;
    for (unsigned i = 0; i < half; i++) {
        const struct use_slot *a = &u->slots[2 * i], none = {0}, *b = 2 * i + 1 < USE_SLOTS ? a + 1 : &none;
        u->slots[i] = (struct use_slot){a->out + b->out, a->in + b->in, a->again + b->again};
    }
    memset(&u->slots[half], 0, (USE_SLOTS - half) * sizeof u->slots[0]);
    u->step_ns *= 2;
    u->n = (u->n + 1) / 2;
}

void use_add(struct use *u, uint64_t now_ns, const struct hws_gate_counts *now)
{
    uint64_t since =
        now_ns > u->begin_ns ? now_ns - u->begin_ns - 1 : 0; /* what has just passed is of the slot before */
    while (since / u->step_ns >= USE_SLOTS)
        halve(u);
    unsigned i = (unsigned)(since / u->step_ns);
    u->slots[i].out += now->bytes_out - u->last.bytes_out;
    u->slots[i].in += now->bytes_in - u->last.bytes_in;
    u->slots[i].again += now->again - u->last.again;
    u->n = i + 1;
    u->last = *now;
}

void use_tell(const struct use *u, uint64_t begin_ns, const char *site, FILE *out)
{
    for (unsigned from = 0; from < u->n; from += USE_LINE) {
        unsigned to = from + USE_LINE < u->n ? from + USE_LINE : u->n;
        uint64_t sum = 0;
        for (unsigned i = from; i < to; i++)
            sum += u->slots[i].out + u->slots[i].in;
        if (!sum)
            continue;
        fprintf(out, USE_WORD " %" PRIu64 " %" PRIu64 " %s", begin_ns + from * u->step_ns, u->step_ns, site);
        for (unsigned i = from; i < to; i++)
            fprintf(out, " %" PRIu64 " %" PRIu64, u->slots[i].out, u->slots[i].in);
        fprintf(out, "\n");
    }
}

static void draw_column(double x, double width, double height, const char *colour, FILE *out)
{
    if (height != 0)
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x,
                height > 0 ? MIDDLE - height : MIDDLE, width, height > 0 ? height : -height, colour);
}

static double highest(const struct use *u)
{
    uint64_t most = 1;
    for (unsigned i = 0; i < u->n; i++) {
        most = u->slots[i].out > most ? u->slots[i].out : most;
        most = u->slots[i].in > most ? u->slots[i].in : most;
    }
    return (double)most;
}

void use_draw(const struct use *u, const char *from, const char *to, unsigned y, FILE *out)
{
    double most = highest(u), step_s = (double)u->step_ns / NS_S;
    double width = (double)(USE_WIDTH - LEFT - 10) / (u->n ? u->n : 1);
    fprintf(out, "<g transform=\"translate(0,%u)\" font-family=\"sans-serif\" font-size=\"12\">\n", y);
    fprintf(out,
            "<text x=\"%d\" y=\"16\">site %s to site %s (up), back (down): slots of %.2f s, %.0f s in all</text>\n",
            LEFT, from, to, step_s, step_s * u->n);
    for (int up = 1; up >= -1; up--)
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f</text>\n", LEFT - 4, MIDDLE + 4 - up * TALL,
                up ? most * BITS / step_s / 1e6 : 0);
    fprintf(out, "<text x=\"4\" y=\"16\">Mb/s</text>\n");
    for (unsigned i = 0; i < u->n; i++) {
        const struct use_slot *s = &u->slots[i];
        double x = LEFT + i * width;
        draw_column(x, width, (double)s->out / most * TALL, s->again ? "#c44536" : "#0b6e4f", out);
        draw_column(x, width, -(double)s->in / most * TALL, "#3a6ea5", out);
    }
    fprintf(out, "<path d=\"M%d %dH%d\" stroke=\"#555\"/>\n</g>\n", LEFT, MIDDLE, USE_WIDTH - 10);
}
