/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tls: OpenSSL's calls and its many errors.
 */
#include "gateway/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#define READ_AHEAD (64u << 10)

static const char identity[] = "hawser";
/* TLS_AES_128_GCM_SHA256: of all ciphers of TLS 1.3 the one that processors are quickest at. */
static const unsigned char cipher_id[] = {0x13, 0x01};

struct tls_context {
    SSL_CTX *ssl;
    uint8_t psk[HWS_PREFACE_KEY];
};

struct tls {
    SSL *ssl;
    unsigned wants;
};

static SSL_SESSION *make_session(SSL *ssl, const uint8_t *psk)
{
    const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, cipher_id);
    SSL_SESSION *session = SSL_SESSION_new();
    if (session && cipher && SSL_SESSION_set1_master_key(session, psk, HWS_PREFACE_KEY) &&
        SSL_SESSION_set_cipher(session, cipher) && SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION))
        return session;
    SSL_SESSION_free(session);
    return NULL;
}

static int use_session(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *id_len, SSL_SESSION **session)
{
    const struct tls_context *c = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    (void)md;
    *id = (const unsigned char *)identity;
    *id_len = sizeof identity - 1;
    *session = make_session(ssl, c->psk);
    return *session != NULL;
}

static int find_session(SSL *ssl, const unsigned char *id, size_t id_len, SSL_SESSION **session)
{
    const struct tls_context *c = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    *session = NULL;
    if (id_len == sizeof identity - 1 && memcmp(id, identity, id_len) == 0)
        *session = make_session(ssl, c->psk);
    return 1;
}

struct tls_context *tls_context_open(const uint8_t psk[HWS_PREFACE_KEY])
{
    struct tls_context *c = calloc(1, sizeof *c);
    if (!c || !(c->ssl = SSL_CTX_new(TLS_method()))) {
        free(c);
        return NULL;
    }
    memcpy(c->psk, psk, sizeof c->psk);
    SSL_CTX_set_app_data(c->ssl, c);
    SSL_CTX_set_mode(c->ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(c->ssl, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_ENABLE_KTLS);
    SSL_CTX_set_num_tickets(c->ssl, 0);
    SSL_CTX_set_psk_use_session_callback(c->ssl, use_session);
    SSL_CTX_set_psk_find_session_callback(c->ssl, find_session);
    if (SSL_CTX_set_min_proto_version(c->ssl, TLS1_3_VERSION) &&
        SSL_CTX_set_ciphersuites(c->ssl, "TLS_AES_128_GCM_SHA256"))
        return c;
    tls_context_close(c);
    return NULL;
}

void tls_context_close(struct tls_context *c)
{
    if (!c)
        return;
    SSL_CTX_free(c->ssl);
    OPENSSL_cleanse(c->psk, sizeof c->psk);
    free(c);
}

struct tls *tls_open(struct tls_context *c, int fd, int is_server)
{
    struct tls *t = calloc(1, sizeof *t);
    if (!t || !(t->ssl = SSL_new(c->ssl)) || !SSL_set_fd(t->ssl, fd)) {
        tls_close(t);
        return NULL;
    }
    if (is_server)
        SSL_set_accept_state(t->ssl);
    else
        SSL_set_connect_state(t->ssl);
    return t;
}

void tls_close(struct tls *t)
{
    if (!t)
        return;
    SSL_free(t->ssl);
    free(t);
}

/* What a call that did not succeed means. `broken`: what a fault of the protocol is called. */
static int failure(struct tls *t, int rc, int broken)
{
    int e = SSL_get_error(t->ssl, rc);
    ERR_clear_error();
    if (e == SSL_ERROR_WANT_READ || e == SSL_ERROR_WANT_WRITE) {
        t->wants = e == SSL_ERROR_WANT_READ ? 1 : 2;
        return HWS_EAGAIN;
    }
    return e == SSL_ERROR_SSL ? broken : HWS_ECLOSED;
}

/* From now on one call reads what has come, where each record's header and payload would take one each. The kernel's
 * own TLS (ktls) hands out whole records. */
static void read_ahead(SSL *ssl)
{
    if (BIO_get_ktls_recv(SSL_get_rbio(ssl)))
        return;
    SSL_set_read_ahead(ssl, 1);
    SSL_set_default_read_buffer_len(ssl, READ_AHEAD);
}

/* A server without certificates fails any client that does not offer the key, and so does a client whose server takes
 * none. */
int tls_handshake(struct tls *t)
{
    ERR_clear_error();
    int rc = SSL_do_handshake(t->ssl);
    if (rc != 1)
        return failure(t, rc, HWS_EAUTH);
    read_ahead(t->ssl);
    return SSL_session_reused(t->ssl) ? HWS_OK : HWS_EAUTH;
}

long tls_read(struct tls *t, void *dst, size_t len)
{
    ERR_clear_error();
    int rc = SSL_read(t->ssl, dst, len > INT32_MAX ? INT32_MAX : (int)len);
    return rc > 0 ? rc : failure(t, rc, HWS_EPROTO);
}

long tls_write(struct tls *t, const void *src, size_t len)
{
    ERR_clear_error();
    int rc = SSL_write(t->ssl, src, len > INT32_MAX ? INT32_MAX : (int)len);
    return rc > 0 ? rc : failure(t, rc, HWS_EPROTO);
}

unsigned tls_wants(const struct tls *t)
{
    return t->wants;
}

bool tls_has_more(const struct tls *t)
{
    return SSL_has_pending(t->ssl);
}
