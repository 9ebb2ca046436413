/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_auth: SCTP-AUTH (RFC 4895): each packet with data carries a MAC under a key that only processes of the job have,
 * so nobody else gets data into an association, nor opens one that lasts.
 *
 * A kernel takes data without a MAC from an end that does not know SCTP-AUTH at all. Therefore a process that uses it
 * ends every association whose other end does not, and its card says so: the two kinds do not talk to each other.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "link/sctp/sctp_priv.h"

#define CHUNK_DATA       0x00
#define CHUNK_ASCONF     0xc1
#define CHUNK_ASCONF_ACK 0x80

static bool set(const struct hws_sctp *t, int option, const void *value, size_t len)
{
    return setsockopt(t->io.fd, IPPROTO_SCTP, option, value, (socklen_t)len) == 0;
}

/* The option needs no privilege, but Linux 5.4; before that net.sctp.auth_enable decides when the socket is made. */
static bool enable(const struct hws_sctp *t)
{
#ifdef SCTP_AUTH_SUPPORTED
    struct sctp_assoc_value on = {.assoc_value = 1};
    return set(t, SCTP_AUTH_SUPPORTED, &on, sizeof on) || errno == ENOPROTOOPT;
#else
    return t->io.fd >= 0; /* the next option fails where it is off */
#endif
}

static bool require(const struct hws_sctp *t)
{
    static const uint8_t chunks[] = {CHUNK_DATA, CHUNK_ASCONF, CHUNK_ASCONF_ACK};
    for (size_t i = 0; i < sizeof chunks; i++) {
        struct sctp_authchunk chunk = {.sauth_chunk = chunks[i]};
        if (!set(t, SCTP_AUTH_CHUNK, &chunk, sizeof chunk))
            return false;
    }
    return true;
}

/* SHA-256 first; RFC 4895 section 3.3 wants SHA-1 in every list. */
static bool choose_macs(const struct hws_sctp *t)
{
    static const uint16_t ids[] = {SCTP_AUTH_HMAC_ID_SHA256, SCTP_AUTH_HMAC_ID_SHA1};
    _Alignas(struct sctp_hmacalgo) uint8_t bytes[sizeof(struct sctp_hmacalgo) + sizeof ids];
    struct sctp_hmacalgo head = {.shmac_num_idents = HWS_ARRAY_LEN(ids)};
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, ids, sizeof ids);
    return set(t, SCTP_HMAC_IDENT, bytes, sizeof bytes);
}

/* In the place of key 0, the empty one, which every association begins with. */
static bool set_key(const struct hws_sctp *t, const uint8_t key[HWS_LINK_KEY_LEN])
{
    _Alignas(struct sctp_authkey) uint8_t bytes[sizeof(struct sctp_authkey) + HWS_LINK_KEY_LEN];
    struct sctp_authkey head = {.sca_keynumber = 0, .sca_keylength = HWS_LINK_KEY_LEN};
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, key, HWS_LINK_KEY_LEN);
    bool done = set(t, SCTP_AUTH_KEY, bytes, sizeof bytes);
    explicit_bzero(bytes, sizeof bytes);
    return done;
}

bool hws_sctp_auth_begin(struct hws_sctp *t, const uint8_t key[HWS_LINK_KEY_LEN])
{
    t->is_auth = enable(t) && choose_macs(t) && require(t) && set_key(t, key);
    if (!t->is_auth)
        hws_trace(link, "no SCTP-AUTH: %s", strerror(errno));
    return t->is_auth;
}

bool hws_sctp_auth_is_met(const struct hws_sctp *t, const struct hws_assoc *a)
{
    _Alignas(struct sctp_authchunks) uint8_t bytes[sizeof(struct sctp_authchunks) + 256];
    struct sctp_authchunks head = {.gauth_assoc_id = a->id};
    socklen_t len = sizeof bytes;
    if (!t->is_auth)
        return true;
    memcpy(bytes, &head, sizeof head);
    return getsockopt(t->io.fd, IPPROTO_SCTP, SCTP_PEER_AUTH_CHUNKS, bytes, &len) == 0;
}
