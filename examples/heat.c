/* SPDX-License-Identifier: BSD-3-Clause
 *
 * heat: how a picture cools. The brightness of a PNG is the initial temperature of a plate with insulated edges; each
 * step moves heat between neighbours (explicit five-point scheme). The plate is cut into blocks, one a rank; before
 * each step the ranks swap the edges of their blocks: rows as they lie in memory, columns through a vector type. Every
 * cell is computed by the same operations in the same order whatever the number of ranks, so the result does not depend
 * on it by a single bit.
 *
 *     mpicc -O2 heat.c -o heat -lpng && mpirun -n 4 ./heat heat-input.png heat.png
 */
#include <mpi.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 0.2 /* time step * diffusivity / spacing^2; the scheme is stable up to 0.25 */

enum { TAG_BLOCK = 1, TAG_UP, TAG_DOWN, TAG_LEFT, TAG_RIGHT };

struct options {
    int n_steps, report_every;
    const char *input, *output, *raw; /* raw: file for the final field as doubles, or NULL */
};

/* A block of the plate: rows x cols cells with a halo of one cell around them. */
struct block {
    int row, col; /* of its first cell in the plate */
    int rows, cols;
    double *now, *next; /* [(rows + 2) * (cols + 2)] */
    MPI_Datatype inner; /* the cells without the halo */
    MPI_Datatype column;
    int up, down, left, right; /* ranks, or MPI_PROC_NULL at the edge of the plate */
};

static int rank, n_ranks;
static int n_down, n_across; /* blocks in each direction */

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "heat: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        give_up("calloc", "out of memory");
    return p;
}

/* The part of n cells that block i of n_blocks has. */
static void share(int n, int n_blocks, int i, int *first, int *len)
{
    *first = (int)((long long)n * i / n_blocks);
    *len = (int)((long long)n * (i + 1) / n_blocks) - *first;
}

/* The most nearly square cut of the plate. */
static void choose_grid(int height, int width)
{
    double best = -1;
    for (int down = 1; down <= n_ranks; down++) {
        if (n_ranks % down || down > height || n_ranks / down > width)
            continue;
        double edge = (double)height / down + (double)width / (n_ranks / down);
        if (best < 0 || edge < best) {
            best = edge;
            n_down = down;
            n_across = n_ranks / down;
        }
    }
    if (best < 0)
        give_up("the picture", "too small for so many ranks");
}

static struct block block_of(int owner, int height, int width)
{
    struct block b = {0};
    share(height, n_down, owner / n_across, &b.row, &b.rows);
    share(width, n_across, owner % n_across, &b.col, &b.cols);
    return b;
}

static int neighbour(int down, int across)
{
    int r = rank / n_across + down, c = rank % n_across + across;
    return r < 0 || r >= n_down || c < 0 || c >= n_across ? MPI_PROC_NULL : r * n_across + c;
}

static void make_block(struct block *b, int height, int width)
{
    *b = block_of(rank, height, width);
    size_t cells = (size_t)(b->rows + 2) * (size_t)(b->cols + 2);
    b->now = allocate(cells, sizeof(double));
    b->next = allocate(cells, sizeof(double));
    b->up = neighbour(-1, 0);
    b->down = neighbour(1, 0);
    b->left = neighbour(0, -1);
    b->right = neighbour(0, 1);
    MPI_Type_vector(b->rows, b->cols, b->cols + 2, MPI_DOUBLE, &b->inner);
    MPI_Type_vector(b->rows, 1, b->cols + 2, MPI_DOUBLE, &b->column);
    MPI_Type_commit(&b->inner);
    MPI_Type_commit(&b->column);
}

static void free_block(struct block *b)
{
    MPI_Type_free(&b->inner);
    MPI_Type_free(&b->column);
    free(b->now);
    free(b->next);
}

static double *cell(const struct block *b, int r, int c)
{
    return b->now + (size_t)(r + 1) * (size_t)(b->cols + 2) + (size_t)(c + 1);
}

/* Rank 0 deals the plate out (gather: collects it), each block straight from or into its place. */
static void deal(struct block *b, double *plate, int height, int width, int gather)
{
    MPI_Request mine;
    if (gather)
        MPI_Isend(cell(b, 0, 0), 1, b->inner, 0, TAG_BLOCK, MPI_COMM_WORLD, &mine);
    else
        MPI_Irecv(cell(b, 0, 0), 1, b->inner, 0, TAG_BLOCK, MPI_COMM_WORLD, &mine);
    for (int owner = 0; rank == 0 && owner < n_ranks; owner++) {
        struct block o = block_of(owner, height, width);
        double *place = plate + (size_t)o.row * (size_t)width + o.col;
        MPI_Datatype window;
        MPI_Type_vector(o.rows, o.cols, width, MPI_DOUBLE, &window);
        MPI_Type_commit(&window);
        if (gather)
            MPI_Recv(place, 1, window, owner, TAG_BLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(place, 1, window, owner, TAG_BLOCK, MPI_COMM_WORLD);
        MPI_Type_free(&window);
    }
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
}

/* Insulated edges: no heat flows out, so the cell outside is as warm as the one inside. */
static void mirror_edges(struct block *b)
{
    for (int c = 0; c < b->cols; c++) {
        if (b->up == MPI_PROC_NULL)
            *cell(b, -1, c) = *cell(b, 0, c);
        if (b->down == MPI_PROC_NULL)
            *cell(b, b->rows, c) = *cell(b, b->rows - 1, c);
    }
    for (int r = 0; r < b->rows; r++) {
        if (b->left == MPI_PROC_NULL)
            *cell(b, r, -1) = *cell(b, r, 0);
        if (b->right == MPI_PROC_NULL)
            *cell(b, r, b->cols) = *cell(b, r, b->cols - 1);
    }
}

static void swap_edges(struct block *b)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request columns[4];
    MPI_Irecv(cell(b, 0, -1), 1, b->column, b->left, TAG_RIGHT, world, &columns[0]);
    MPI_Irecv(cell(b, 0, b->cols), 1, b->column, b->right, TAG_LEFT, world, &columns[1]);
    MPI_Isend(cell(b, 0, 0), 1, b->column, b->left, TAG_LEFT, world, &columns[2]);
    MPI_Isend(cell(b, 0, b->cols - 1), 1, b->column, b->right, TAG_RIGHT, world, &columns[3]);
    MPI_Sendrecv(cell(b, 0, 0), b->cols, MPI_DOUBLE, b->up, TAG_UP, cell(b, b->rows, 0), b->cols, MPI_DOUBLE, b->down,
                 TAG_UP, world, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell(b, b->rows - 1, 0), b->cols, MPI_DOUBLE, b->down, TAG_DOWN, cell(b, -1, 0), b->cols, MPI_DOUBLE,
                 b->up, TAG_DOWN, world, MPI_STATUS_IGNORE);
    MPI_Waitall(4, columns, MPI_STATUSES_IGNORE);
    mirror_edges(b);
}

/* One step; returns the largest change of a cell. */
static double step(struct block *b)
{
    double largest = 0;
    size_t width = (size_t)b->cols + 2;
    for (int r = 0; r < b->rows; r++) {
        const double *in = cell(b, r, 0);
        double *out = b->next + (in - b->now);
        for (int c = 0; c < b->cols; c++, in++, out++) {
            double change = RATE * ((in[-1] + in[1]) + (*(in - width) + in[width]) - 4 * in[0]);
            out[0] = in[0] + change;
            if (change < 0)
                change = -change;
            if (change > largest)
                largest = change;
        }
    }
    double *t = b->now;
    b->now = b->next;
    b->next = t;
    return largest;
}

static void report(const struct block *b, const struct options *o, int n, double largest)
{
    double heat = 0, all_heat, all_largest;
    for (int r = 0; r < b->rows; r++)
        for (int c = 0; c < b->cols; c++)
            heat += *cell(b, r, c);
    MPI_Reduce(&heat, &all_heat, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&largest, &all_largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "heat: step %d of %d, total heat %.6g, largest change %.3g\n", n, o->n_steps, all_heat,
                all_largest);
}

/* The picture as temperatures from 0 to 1. */
static double *read_picture(const char *path, int *height, int *width)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        give_up(path, image.message);
    image.format = PNG_FORMAT_GRAY;
    png_byte *gray = allocate(PNG_IMAGE_SIZE(image), 1);
    if (!png_image_finish_read(&image, NULL, gray, 0, NULL))
        give_up(path, image.message);
    *height = (int)image.height;
    *width = (int)image.width;
    size_t n = (size_t)image.height * image.width;
    double *plate = allocate(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        plate[i] = gray[i] / 255.0;
    free(gray);
    return plate;
}

/* Black, violet, red, orange, yellow, white. */
static void colour(double t, png_byte rgb[3])
{
    static const double stops[][3] = {{0, 0, 4},      {80, 18, 123},  {190, 40, 80},
                                      {245, 125, 21}, {250, 215, 70}, {255, 255, 245}};
    const int last = (int)(sizeof stops / sizeof stops[0]) - 1;
    double place = (t < 0 ? 0 : t > 1 ? 1 : t) * last;
    int i = place >= last ? last - 1 : (int)place;
    for (int k = 0; k < 3; k++)
        rgb[k] = (png_byte)(stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (place - i) + 0.5);
}

static void write_picture(const char *path, const double *plate, int height, int width)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (unsigned)width, .height = (unsigned)height, .format = PNG_FORMAT_RGB};
    size_t n = (size_t)height * (size_t)width;
    png_byte *rgb = allocate(n, 3);
    for (size_t i = 0; i < n; i++)
        colour(plate[i], rgb + 3 * i);
    if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        give_up(path, image.message);
    free(rgb);
}

static void write_raw(const char *path, const double *plate, int height, int width)
{
    int size[2] = {height, width};
    size_t n = (size_t)height * (size_t)width;
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(size, sizeof size, 1, f) != 1 || fwrite(plate, sizeof(double), n, f) != n || fclose(f) != 0)
        give_up(path, "cannot be written");
}

static struct options parse(int argc, char **argv)
{
    struct options o = {.n_steps = 400, .report_every = 50, .input = "heat-input.png", .output = "heat.png"};
    int n_files = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-steps") == 0 && i + 1 < argc)
            o.n_steps = atoi(argv[++i]);
        else if (strcmp(argv[i], "-every") == 0 && i + 1 < argc)
            o.report_every = atoi(argv[++i]);
        else if (strcmp(argv[i], "-raw") == 0 && i + 1 < argc)
            o.raw = argv[++i];
        else if (argv[i][0] != '-' && n_files < 2)
            *(n_files++ ? &o.output : &o.input) = argv[i];
        else
            give_up(argv[i], "usage: heat [-steps N] [-every N] [-raw FILE] [INPUT.png [OUTPUT.png]]");
    }
    if (o.n_steps < 0 || o.report_every < 1)
        give_up("-steps and -every", "must not be negative, and -every not 0");
    return o;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    struct options o = parse(argc, argv);
    int size[2] = {0, 0};
    double *plate = rank == 0 ? read_picture(o.input, &size[0], &size[1]) : NULL;
    MPI_Bcast(size, 2, MPI_INT, 0, MPI_COMM_WORLD);
    choose_grid(size[0], size[1]);

    struct block b;
    make_block(&b, size[0], size[1]);
    deal(&b, plate, size[0], size[1], 0);
    if (rank == 0)
        fprintf(stderr, "heat: %s, %d x %d cells on %d x %d ranks\n", o.input, size[1], size[0], n_across, n_down);
    double begin = MPI_Wtime();
    for (int n = 1; n <= o.n_steps; n++) {
        swap_edges(&b);
        double largest = step(&b);
        if (n % o.report_every == 0 || n == o.n_steps)
            report(&b, &o, n, largest);
    }
    double seconds = MPI_Wtime() - begin;
    deal(&b, plate, size[0], size[1], 1);
    if (rank == 0) {
        write_picture(o.output, plate, size[0], size[1]);
        if (o.raw)
            write_raw(o.raw, plate, size[0], size[1]);
        fprintf(stderr, "heat: %d steps in %.2f s, written to %s\n", o.n_steps, seconds, o.output);
    }
    free(plate);
    free_block(&b);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
