/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proto: the frames between mpirun and a node daemon, on the two pipes of the remote shell. A frame is u32 length of
 * the payload, u8 type, u64 id of the job (spec.h) that it is about, payload; all numbers little endian; a text is u32
 * length and bytes. A frame about the host itself has job 0. The daemon first writes one line, HWS_PROTO_BANNER, so
 * that what a login shell prints before it can be skipped. Everything received is checked here: a decoder never reads
 * past the payload and never allocates more than a small multiple of it.
 */
#ifndef HWS_MPIRUN_PROTO_H
#define HWS_MPIRUN_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/spec.h"

#define HWS_PROTO_BANNER    "HAWSER-NODE 8\n"
#define HWS_PROTO_HEADER    13
#define HWS_PROTO_FRAME_MAX (256u << 20) /* bytes of payload; larger is nonsense */

enum hws_proto_type {
    /* to the daemon */
    HWS_PROTO_START = 1,    /* the spec of the job */
    HWS_PROTO_STDIN,        /* bytes; none: end of input */
    HWS_PROTO_SIGNAL,       /* u32 signal */
    HWS_PROTO_RELEASE,      /* a batch (kvs.h): the barrier is complete */
    HWS_PROTO_PAUSE,        /* u32 0 or 1 */
    HWS_PROTO_CLOSE_STREAM, /* u32 1 or 2 */
    HWS_PROTO_END,          /* of the host: the daemon is dismissed; u32 1: kill what ranks of any job left behind */
    HWS_PROTO_ASK,          /* nothing: batches hold no longer what other nodes put, WANTED asks for it */
    HWS_PROTO_VALUE,        /* text key, text value; without the second: nobody has put it */
    HWS_PROTO_BEAT,   /* of the host: u32 milliseconds: a longer silence of either end means that it is gone; 0: do not
                         wait for me */
    HWS_PROTO_REPORT, /* nothing: where are the ranks? REPORTED answers */
    HWS_PROTO_CLOSE,  /* nothing: the job has ended, others go on: kill what its ranks left behind, and forget it */
    /* to mpirun */
    HWS_PROTO_STARTED = 32, /* u32 rank, u32 pid */
    HWS_PROTO_FAILED,       /* u32 exit status for mpirun, text */
    HWS_PROTO_OUTPUT,       /* u32 rank, u32 stream, bytes; none: end of the stream */
    HWS_PROTO_ABORT,        /* u32 rank, u32 code, text */
    HWS_PROTO_EXIT,         /* u32 rank, u32 wait status, u32 state in which it exited (rank_state.h), text: its call */
    HWS_PROTO_BARRIER,      /* a batch: all ranks of the node that are not absent are in the barrier */
    HWS_PROTO_TAKEN,        /* u32 bytes of stdin that the rank has taken */
    HWS_PROTO_STDIN_CLOSED, /* nothing */
    HWS_PROTO_DRAINED,      /* nothing */
    HWS_PROTO_WANTED,       /* text key */
    HWS_PROTO_ALIVE,        /* of the host: nothing; sent while a BEAT's time holds */
    HWS_PROTO_REPORTED,     /* records of node/boards.h */
    HWS_PROTO_PROFILES,     /* records of page/records.h; before DRAINED, with -report FILE */
};

struct hws_proto_frame {
    enum hws_proto_type type;
    uint64_t job;     /* 0: the host */
    const char *data; /* into the queue; valid until it changes */
    size_t len;
};

/* Looks for a whole frame at the front of the queue. 1: *f is filled, consume HWS_PROTO_HEADER + f->len when done;
 * 0: more bytes are needed; HWS_EPROTO: not a frame. */
int hws_frame_peek(const struct hws_buf *in, struct hws_proto_frame *f);

/* Reads a payload front to back. After a read beyond the end `bad` is true and all reads give 0 or an empty text. */
struct hws_reader {
    const char *data;
    size_t len;
    bool bad;
};

/* The next number; 0 and bad when the payload has ended. */
uint32_t hws_read_u32(struct hws_reader *r);
/* The next two as one of 64 bits, the lower half first. */
uint64_t hws_read_u64(struct hws_reader *r);
/* A text; the bytes stay in the payload. */
const char *hws_read_text(struct hws_reader *r, size_t *len);

/* Builds a frame at the end of a queue: begin, add, end. */
size_t hws_frame_begin(struct hws_buf *out, enum hws_proto_type type, uint64_t job);
void hws_add_u32(struct hws_buf *out, uint32_t v);
void hws_add_u64(struct hws_buf *out, uint64_t v);
void hws_add_text(struct hws_buf *out, const char *text, size_t len);
void hws_frame_end(struct hws_buf *out, size_t begin);

/* Appends the payload of a START frame. */
void hws_spec_encode(const struct hws_spec *s, struct hws_buf *out);

/* HWS_OK: *s owns everything in it, free with hws_spec_fini(); HWS_EPROTO: not a spec. */
int hws_spec_decode(struct hws_spec *s, const char *data, size_t len);
void hws_spec_fini(struct hws_spec *s);

#endif
