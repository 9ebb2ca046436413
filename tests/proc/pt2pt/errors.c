/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wrong arguments and failed operations under MPI_ERRORS_RETURN: class and, word for word, the text.
 */
#include "expect.h"

static void arguments(void)
{
    int v = 0;
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Datatype raw;
    expect(MPI_Send(&v, 1, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_ERR_RANK,
           "MPI_Send: MPI_ERR_RANK: invalid rank: argument dest is 2, it must be 0 to 1 or MPI_PROC_NULL");
    expect(MPI_Recv(&v, 1, MPI_INT, -5, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
           "MPI_Recv: MPI_ERR_RANK: invalid rank: argument source is -5, it must be 0 to 1, MPI_ANY_SOURCE or "
           "MPI_PROC_NULL");
    expect(MPI_Isend(&v, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, &r), MPI_ERR_TAG,
           "MPI_Isend: MPI_ERR_TAG: invalid tag: argument tag is -5, it must be 0 to 2147483647");
    expect(MPI_Irecv(&v, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT,
           "MPI_Irecv: MPI_ERR_COUNT: invalid count: argument count is -1, it must not be negative");
    expect(MPI_Ssend(&v, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE,
           "MPI_Ssend: MPI_ERR_TYPE: invalid datatype: argument datatype is MPI_DATATYPE_NULL");
    MPI_Type_contiguous(2, MPI_INT, &raw);
    expect(MPI_Send(&v, 0, raw, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE,
           "MPI_Send: MPI_ERR_TYPE: invalid datatype: argument datatype is not committed");
    MPI_Type_free(&raw);
    expect(MPI_Probe(7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
           "MPI_Probe: MPI_ERR_RANK: invalid rank: argument source is 7, it must be 0 to 1, MPI_ANY_SOURCE or "
           "MPI_PROC_NULL");
    expect(
        MPI_Send_c(&v, INT64_MAX / 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
        "MPI_Send_c: MPI_ERR_COUNT: invalid count: argument count is 4611686018427387903, the message would have 2^63 "
        "bytes or more");
    expect(MPI_Bsend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
           "MPI_Bsend: MPI_ERR_BUFFER: no buffer is attached for buffered sends (MPI_Buffer_attach)");
    expect(MPI_Start(&r), MPI_ERR_REQUEST,
           "MPI_Start: MPI_ERR_REQUEST: invalid request: argument request is MPI_REQUEST_NULL");
}

static void truncation(int other)
{
    char want[300];
    static int out[30000], in[100];
    static const int lens[] = {101, 30000};
    MPI_Request r;
    for (int i = 0; i < 4; i++) {
        int n = lens[i % 2];
        MPI_Isend(out, n, MPI_INT, other, 5, MPI_COMM_WORLD, &r);
        snprintf(
            want, sizeof(want),
            "%s: MPI_ERR_TRUNCATE: message truncated: %d bytes came from rank %d with tag 5, the receive buffer holds "
            "400 bytes",
            i < 2 ? "MPI_Recv" : "MPI_Wait", n * 4, other);
        if (i < 2) {
            expect(MPI_Recv(in, 100, MPI_INT, i ? MPI_ANY_SOURCE : other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                   MPI_ERR_TRUNCATE, want);
        } else {
            MPI_Request q;
            MPI_Irecv(in, 100, MPI_INT, other, 5, MPI_COMM_WORLD, &q);
            expect(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, want);
        }
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

/* A message that ends inside an element of the receive's type, in every kind of receive; one that ends between is fine.
 */
static void cut_element(int other)
{
    char want[300];
    static char out[64];
    int in[16], n;
    MPI_Status st;
    MPI_Datatype mixed;
    MPI_Request r, q;
    MPI_Message m;
    MPI_Type_create_struct(2, (int[]){1, 3}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_SHORT}, &mixed);
    MPI_Type_commit(&mixed);
    for (int i = 0; i < 5; i++) {
        int len = i == 3 ? 21 : 7;
        MPI_Isend(out, len, MPI_CHAR, other, 6, MPI_COMM_WORLD, &r);
        snprintf(
            want, sizeof(want),
            "%s: MPI_ERR_TYPE: datatypes do not match: %d bytes came from rank %d with tag 6, they end inside a basic "
            "element of the receive's datatype",
            i == 1 || i == 4 ? "MPI_Wait"
            : i == 2         ? "MPI_Mrecv"
                             : "MPI_Recv",
            len, other);
        if (i == 0 || i == 3)
            n = MPI_Recv(in, i ? 3 : 4, i ? mixed : MPI_INT, other, 6, MPI_COMM_WORLD, &st);
        else if (i == 2 && MPI_Mprobe(other, 6, MPI_COMM_WORLD, &m, &st) == MPI_SUCCESS)
            n = MPI_Mrecv(in, 4, MPI_INT, &m, &st);
        else if (MPI_Irecv(in, 2, i == 1 ? MPI_INT : mixed, other, 6, MPI_COMM_WORLD, &q) == MPI_SUCCESS)
            n = MPI_Wait(&q, &st);
        expect(n, MPI_ERR_TYPE, want);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(out, 24, MPI_CHAR, other, 6, in, 3, mixed, other, 6, MPI_COMM_WORLD, &st); /* 14 and then 8 and 2 */
    MPI_Get_elements(&st, mixed, &n);
    check_eq(n, 6);
    MPI_Sendrecv(out, 7, MPI_CHAR, other, 6, in, 30, MPI_BYTE, other, 6, MPI_COMM_WORLD, &st);
    MPI_Type_free(&mixed);
}

static void in_status(int other)
{
    char want[300];
    int out[2] = {1, 2}, in[3][2];
    MPI_Request r[3];
    MPI_Status st[3];
    for (int i = 0; i < 3; i++)
        MPI_Irecv(in[i], i == 1 ? 1 : 2, MPI_INT, other, 10 + i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 3; i++)
        MPI_Send(out, 2, MPI_INT, other, 10 + i, MPI_COMM_WORLD);
    snprintf(
        want, sizeof(want),
        "MPI_Waitall: MPI_ERR_IN_STATUS: request 1 of 3 failed: MPI_ERR_TRUNCATE: message truncated: 8 bytes came from "
        "rank %d with tag 11, the receive buffer holds 4 bytes",
        other);
    expect(MPI_Waitall(3, r, st), MPI_ERR_IN_STATUS, want);
    check_eq(st[0].MPI_ERROR, MPI_SUCCESS);
    snprintf(
        want, sizeof(want),
        "MPI_Waitall: MPI_ERR_TRUNCATE: message truncated: 8 bytes came from rank %d with tag 11, the receive buffer "
        "holds 4 bytes",
        other);
    expect(st[1].MPI_ERROR, MPI_ERR_TRUNCATE, want);
    check_eq(st[2].MPI_ERROR, MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    arguments();
    truncation(proc_rank ^ 1);
    cut_element(proc_rank ^ 1);
    in_status(proc_rank ^ 1);
    return proc_end();
}
