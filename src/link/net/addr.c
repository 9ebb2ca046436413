/* SPDX-License-Identifier: BSD-3-Clause
 *
 * addr: see addr.h. IPv4-mapped IPv6 addresses are not unmapped: sockets here are of the one family or the other.
 */
#include "link/net/addr.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/errors.h"

bool hws_addr_is_equal(const struct hws_addr *a, const struct hws_addr *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, hws_addr_bits(a) / 8) == 0;
}

bool hws_addr_is_in(const struct hws_addr *a, const struct hws_addr *net, unsigned prefix_len)
{
    if (a->family != net->family || prefix_len > hws_addr_bits(a))
        return false;
    unsigned whole = prefix_len / 8, rest = prefix_len % 8;
    if (memcmp(a->bytes, net->bytes, whole) != 0)
        return false;
    return rest == 0 || ((a->bytes[whole] ^ net->bytes[whole]) >> (8 - rest)) == 0;
}

bool hws_addr_is_loopback(const struct hws_addr *a)
{
    static const uint8_t one[16] = {[15] = 1};
    return a->family == 4 ? a->bytes[0] == 127 : memcmp(a->bytes, one, sizeof one) == 0;
}

bool hws_addr_is_link_local(const struct hws_addr *a)
{
    if (a->family == 4)
        return a->bytes[0] == 169 && a->bytes[1] == 254;
    return a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
}

bool hws_addr_is_unicast(const struct hws_addr *a)
{
    static const uint8_t zero[16];
    if (a->family ==
        4) /* 0/8 is "this network", 224/4 multicast, 240/4 reserved with the broadcast address at its end */
        return a->bytes[0] != 0 && a->bytes[0] < 224;
    return a->family == 6 && a->bytes[0] != 0xff && memcmp(a->bytes, zero, sizeof zero) != 0;
}

int hws_addr_parse(const char *text, struct hws_addr *out)
{
    struct hws_addr a = {0};
    if (inet_pton(AF_INET, text, a.bytes) == 1)
        a.family = 4;
    else if (inet_pton(AF_INET6, text, a.bytes) == 1)
        a.family = 6;
    else
        return HWS_EINVAL;
    *out = a;
    return HWS_OK;
}

char *hws_addr_format(const struct hws_addr *a, char *dst)
{
    if (!inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, dst, HWS_ADDR_TEXT))
        dst[0] = '\0';
    return dst;
}

socklen_t hws_addr_to_sockaddr(const struct hws_addr *a, uint16_t port, unsigned ifindex, struct sockaddr_storage *out)
{
    memset(out, 0, sizeof *out);
    if (a->family == 4) {
        struct sockaddr_in *in = (struct sockaddr_in *)out;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, a->bytes, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    memcpy(&in6->sin6_addr, a->bytes, 16);
    if (hws_addr_is_link_local(a))
        in6->sin6_scope_id = ifindex;
    return sizeof *in6;
}

int hws_addr_from_sockaddr(const struct sockaddr *sa, struct hws_addr *out, uint16_t *port)
{
    struct hws_addr a = {0};
    uint16_t p;
    if (sa->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)sa;
        a.family = 4;
        memcpy(a.bytes, &in->sin_addr, 4);
        p = ntohs(in->sin_port);
    } else if (sa->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)sa;
        a.family = 6;
        memcpy(a.bytes, &in6->sin6_addr, 16);
        p = ntohs(in6->sin6_port);
    } else {
        return HWS_EINVAL;
    }
    *out = a;
    if (port)
        *port = p;
    return HWS_OK;
}

struct hws_addr hws_addr_loopback(void)
{
    return (struct hws_addr){.family = 4, .bytes = {127, 0, 0, 1}};
}
