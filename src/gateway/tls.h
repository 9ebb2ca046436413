/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tls: TLS 1.3 on a connected socket that does not block, by OpenSSL, with a key that both ends know instead of
 * certificates (RFC 8446 section 4.2.11, with an ephemeral exchange). The only file that knows OpenSSL.
 */
#ifndef HWS_GATEWAY_TLS_H
#define HWS_GATEWAY_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/gate.h"

struct tls_context;
struct tls;

/* NULL: OpenSSL cannot (out of memory, or a policy forbids TLS 1.3). */
struct tls_context *tls_context_open(const uint8_t psk[HWS_PREFACE_KEY]);
void tls_context_close(struct tls_context *c);

/* The socket stays the caller's. NULL: no memory. */
struct tls *tls_open(struct tls_context *c, int fd, int is_server);
void tls_close(struct tls *t);

/* HWS_OK: the other end has the key; HWS_EAGAIN; HWS_EAUTH; HWS_ECLOSED. Call again when the socket is ready for what
 * tls_wants() says. */
int tls_handshake(struct tls *t);
/* Bytes read or written, at least 1; HWS_EAGAIN; HWS_ECLOSED; HWS_EPROTO. What was not written must be given again
 * unchanged. */
long tls_read(struct tls *t, void *dst, size_t len);
long tls_write(struct tls *t, const void *src, size_t len);
/* After HWS_EAGAIN: 1 it waits for input, 2 for room (as the reactor's HWS_R and HWS_W). */
unsigned tls_wants(const struct tls *t);
/* Something was read ahead, if only a part of a record: the socket need not become readable for it. */
bool tls_has_more(const struct tls *t);

#endif
