/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatypes: bytes a second of messages that are not contiguous on either side: a window of nonblocking sends, one
 * acknowledgment, again (as in bandwidth). The figure counts payload, not what lies between.
 *
 *   vectorR   runs of R bytes, every other one: MPI_Type_vector
 *   face      the inner points of a face of a 3-D array of doubles, each named: MPI_Type_indexed
 *   struct    an array of C structs of mixed fields with padding: MPI_Type_create_struct
 *   small     one struct of three fields, 20 bytes, in windows of 64: the figure is messages a second
 *   pack...   MPI_Pack and MPI_Unpack of a vector (pack8), the face or the struct on rank 0 alone; half of both
 *
 * -o chooses among them by name.
 */
#include "bench.h"

#include <stddef.h>

enum { TAG = 1, TAG_ACK = 2, MAX_WINDOW = 64, FACE_X = 16 };

struct mixed {
    double mass;
    char kind;
    int id;
    short cell;
    float speed[2];
};

struct small {
    double value;
    int id;
    double weight; /* a gap before it */
};

/* How the data lies: count elements of type at base + slot * slot_bytes for each message of the window. */
struct shape {
    MPI_Datatype type;
    int count;
    long bytes; /* payload */
    long slot_bytes;
    long room; /* bytes of memory for all slots */
};

struct stream {
    struct shape shape;
    unsigned char *memory;
    unsigned char *packed; /* for MPI_Pack */
    MPI_Request requests[MAX_WINDOW];
    int window;
    int rank;
};

/* bytes of payload in runs of `run`, as far apart as they are long. */
static void make_vector(struct shape *s, long bytes, long run, int window)
{
    int n = (int)(bytes / run);
    if (run % 8 == 0)
        MPI_Type_vector(n, (int)(run / 8), (int)(run / 4), MPI_DOUBLE, &s->type);
    else
        MPI_Type_vector(n, (int)run, (int)(2 * run), MPI_BYTE, &s->type);
    s->count = 1;
    s->bytes = n * run;
    s->slot_bytes = 2 * n * run;
    s->room = s->slot_bytes * window;
}

/* The points (z, y, x) with 1 <= z, y and x fixed: neither z nor y is regular over the whole face. Message i has the
 * face x = i. */
static void make_face(struct shape *s, long bytes)
{
    int side = 1, at = 0;
    while ((long)side * side * 8 < bytes)
        side++;
    int n = side * side, *lens = malloc((size_t)n * sizeof *lens), *disps = malloc((size_t)n * sizeof *disps);
    for (int z = 1; z <= side; z++) {
        for (int y = 1; y <= side; y++, at++) {
            lens[at] = 1;
            disps[at] = (z * (side + 2) + y) * FACE_X;
        }
    }
    MPI_Type_indexed(n, lens, disps, MPI_DOUBLE, &s->type);
    free(lens);
    free(disps);
    s->count = 1;
    s->bytes = 8L * n;
    s->slot_bytes = 8;
    s->room = 8L * (side + 2) * (side + 2) * FACE_X;
}

static void make_struct(struct shape *s, long bytes, int window)
{
    int lens[5] = {1, 1, 1, 1, 2};
    MPI_Aint disps[5] = {offsetof(struct mixed, mass), offsetof(struct mixed, kind), offsetof(struct mixed, id),
                         offsetof(struct mixed, cell), offsetof(struct mixed, speed)};
    MPI_Datatype types[5] = {MPI_DOUBLE, MPI_CHAR, MPI_INT, MPI_SHORT, MPI_FLOAT}, fields;
    MPI_Type_create_struct(5, lens, disps, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(struct mixed), &s->type);
    MPI_Type_free(&fields);
    s->count = (int)(bytes / 23);
    s->bytes = 23L * s->count;
    s->slot_bytes = (long)sizeof(struct mixed) * s->count;
    s->room = s->slot_bytes * window;
}

static void make_small(struct shape *s, int window)
{
    int lens[3] = {1, 1, 1};
    MPI_Aint disps[3] = {offsetof(struct small, value), offsetof(struct small, id), offsetof(struct small, weight)};
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(3, lens, disps, types, &s->type);
    s->count = 1;
    s->bytes = 20;
    s->slot_bytes = sizeof(struct small);
    s->room = s->slot_bytes * window;
}

static unsigned char *slot(const struct stream *s, int i)
{
    return s->memory + s->shape.slot_bytes * i;
}

static void stream_windows(void *context, long iters)
{
    struct stream *s = context;
    const struct shape *h = &s->shape;
    char ack = 1;
    for (; iters > 0; iters--) {
        for (int i = 0; i < s->window && s->rank == 0; i++)
            MPI_Isend(slot(s, i), h->count, h->type, 1, TAG, MPI_COMM_WORLD, &s->requests[i]);
        for (int i = 0; i < s->window && s->rank == 1; i++)
            MPI_Irecv(slot(s, i), h->count, h->type, 0, TAG, MPI_COMM_WORLD, &s->requests[i]);
        MPI_Waitall(s->window, s->requests, MPI_STATUSES_IGNORE);
        if (s->rank == 0)
            MPI_Recv(&ack, 1, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&ack, 1, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
    }
}

static void pack_and_unpack(void *context, long iters)
{
    struct stream *s = context;
    const struct shape *h = &s->shape;
    for (; iters > 0 && s->rank == 0; iters--) {
        int at = 0;
        MPI_Pack(s->memory, h->count, h->type, s->packed, (int)h->bytes, &at, MPI_COMM_WORLD);
        at = 0;
        MPI_Unpack(s->packed, (int)h->bytes, &at, s->memory, h->count, h->type, MPI_COMM_WORLD);
    }
}

/* What rank 1 has after one window is what rank 0 had, and nothing between it was touched. */
static void check_content(struct stream *s)
{
    const struct shape *h = &s->shape;
    unsigned char *want = malloc((size_t)h->bytes), *got = malloc((size_t)h->bytes);
    if (!want || !got)
        bench_die("no memory for %ld bytes", h->bytes);
    memset(s->memory, s->rank ? 0xee : 0, (size_t)h->room);
    for (int i = 0; i < s->window && s->rank == 0; i++) {
        int at = 0;
        bench_fill(want, h->bytes, (unsigned)i);
        MPI_Unpack(want, (int)h->bytes, &at, slot(s, i), h->count, h->type, MPI_COMM_WORLD);
    }
    stream_windows(s, 1);
    for (int i = 0; i < s->window && s->rank == 1; i++) {
        int at = 0;
        MPI_Pack(slot(s, i), h->count, h->type, got, (int)h->bytes, &at, MPI_COMM_WORLD);
        bench_verify(got, h->bytes, (unsigned)i);
        memset(want, 0xee, (size_t)h->bytes);
        at = 0;
        MPI_Unpack(want, (int)h->bytes, &at, slot(s, i), h->count, h->type, MPI_COMM_WORLD);
    }
    for (long i = 0; i < h->room && s->rank == 1; i++) {
        if (s->memory[i] != 0xee)
            bench_die("byte %ld, which is no part of a message, was changed", i);
    }
    free(want);
    free(got);
}

static void measure(struct stream *s, const char *layout, long bytes, const struct bench_options *options)
{
    struct bench_result result;
    int is_pack = strncmp(layout, "pack", 4) == 0;
    struct bench_task task = {is_pack ? pack_and_unpack : stream_windows, s};
    MPI_Type_commit(&s->shape.type);
    s->memory = malloc((size_t)s->shape.room);
    s->packed = malloc((size_t)s->shape.bytes);
    if (!s->memory || !s->packed)
        bench_die("no memory for %ld bytes", s->shape.room);
    check_content(s);
    bench_measure(&task, options, 0, &result);
    double per = is_pack ? 2 : s->window, seconds = bench_quantile(&result, 0.5) / per;
    if (s->rank == 0)
        bench_print(
            "{\"bench\":\"datatypes\",\"layout\":\"%s\",\"bytes\":%ld,\"payload\":%ld,\"window\":%d,\"mb_s\":%.3f,"
            "\"msg_s\":%.1f,\"best_mb_s\":%.3f,\"batches\":%d,\"iters\":%ld}\n",
            layout, bytes, s->shape.bytes, s->window, (double)s->shape.bytes / seconds / 1e6, 1 / seconds,
            (double)s->shape.bytes / bench_quantile(&result, 0) * per / 1e6, result.n_batches, result.iters);
    free(s->memory);
    free(s->packed);
    MPI_Type_free(&s->shape.type);
}

/* False: there is nothing of that size in this layout. */
static int make_shape(struct stream *s, const char *layout, long bytes)
{
    char *end;
    const char *name = strncmp(layout, "pack", 4) == 0 ? layout + 4 : layout;
    long run = strncmp(name, "vector", 6) == 0 ? bench_parse_size(name + 6, &end) : bench_parse_size(name, &end);
    if (strcmp(name, "face") == 0)
        make_face(&s->shape, bytes);
    else if (strcmp(name, "struct") == 0)
        make_struct(&s->shape, bytes, s->window);
    else if (strcmp(name, "small") == 0)
        make_small(&s->shape, s->window);
    else if (run <= 0)
        bench_die("-o: no layout is called %s", layout);
    else if (bytes < 2 * run)
        return 0;
    else
        make_vector(&s->shape, bytes, run, s->window);
    return 1;
}

static void measure_layout(struct stream *s, const char *layout, const struct bench_options *options)
{
    int is_small = strcmp(layout, "small") == 0;
    s->window = is_small ? 64 : options->window;
    for (int i = 0; i < (is_small ? 1 : options->n_sizes); i++) {
        long bytes = is_small ? 20 : options->sizes[i];
        if (make_shape(s, layout, bytes))
            measure(s, layout, bytes, options);
    }
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 0.2, .window = 4};
    static struct stream s;
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    if (!options.n_sizes)
        bench_parse_sizes(&options, "64K,1M,4M");
    if (!options.ops)
        options.ops = "vector8,vector64,vector4K,vector64K,face,struct,small,pack8,pack64,packface,packstruct";
    if (options.window < 1 || options.window > FACE_X)
        bench_die("-w %d: need 1 to %d", options.window, FACE_X);
    s.rank = bench_rank_of(2);
    char *names = strdup(options.ops);
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        measure_layout(&s, name, &options);
    free(names);
    MPI_Finalize();
    return 0;
}
