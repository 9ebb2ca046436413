/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher: used with the engine's lock held, or before there is an engine, as its client isn't thread safe.
 */
#include "core/object/launcher.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/object/event.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "launch/pmi.h"
#include "peer/engine.h"

struct hws_world hws_world;
struct hws_event_sink hws_event_sink;
volatile bool hws_launcher_barrier_done;

static int *hosts; /* of all ranks, made when first needed; NULL: not yet, or not known */
static bool hosts_asked;
static int *sites; /* the same */
static bool sites_asked;

int hws_launcher_card(int peer, char *value, size_t len)
{
    char key[HWS_PMI_KEY_MAX + 1];
    snprintf(key, sizeof key, "card-%d", peer);
    int rc = hws_world.pmi ? hws_pmi_get(hws_world.pmi, key, value, len) : HWS_EPMI;
    hws_launcher_barrier_done = hws_world.pmi && hws_pmi_barrier_is_done(hws_world.pmi);
    return rc;
}

int hws_launcher_key(const char *purpose, unsigned char key[32])
{
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    hws_engine_lock(hws_world.engine);
    int rc = hws_world.pmi ? hws_pmi_secret(hws_world.pmi, secret) : HWS_EPMI;
    hws_engine_unlock(hws_world.engine);
    if (rc == HWS_OK)
        crypto_auth(key, (const unsigned char *)purpose, strlen(purpose), secret);
    explicit_bzero(secret, sizeof secret);
    return rc;
}

static bool all_alike(const int *numbers)
{
    int i = 1;
    while (i < hws_world.size && numbers[i] == numbers[0])
        i++;
    return i >= hws_world.size;
}

static int ask_hosts(void)
{
    hosts = malloc((size_t)hws_world.size * sizeof *hosts);
    if (!hosts)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for the hosts of %d ranks", hws_world.size);
    hosts_asked = true;
    if (!hws_pmi_hosts(hws_world.pmi, hosts) || all_alike(hosts)) {
        free(hosts);
        hosts = NULL;
    }
    return MPI_SUCCESS;
}

int hws_world_hosts(const int **out)
{
    hws_engine_lock(hws_world.engine);
    int rc = hosts_asked ? MPI_SUCCESS : ask_hosts();
    *out = hosts;
    hws_engine_unlock(hws_world.engine);
    return rc;
}

static int ask_sites(void)
{
    sites = malloc((size_t)hws_world.size * sizeof *sites);
    if (!sites)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for the sites of %d ranks", hws_world.size);
    sites_asked = true;
    if (!hws_world.pmi || !hws_pmi_sites(hws_world.pmi, sites)) {
        free(sites);
        sites = NULL;
    }
    return MPI_SUCCESS;
}

int hws_world_sites(const int **out)
{
    hws_engine_lock(hws_world.engine);
    int rc = sites_asked ? MPI_SUCCESS : ask_sites();
    *out = sites;
    hws_engine_unlock(hws_world.engine);
    return rc;
}

const char *hws_world_peer_name(int peer)
{
    static _Thread_local char name[320];
    char value[HWS_LAUNCHER_CARD], host[256];
    if (hws_world.pmi && hws_pmi_host_of(hws_world.pmi, peer, host, sizeof host)) {
        snprintf(name, sizeof name, "rank %d on host %s", peer, host);
        return name;
    }
    if (hws_world.engine)
        hws_engine_lock(hws_world.engine);
    int rc = hws_launcher_card(peer, value, sizeof value);
    if (hws_world.engine)
        hws_engine_unlock(hws_world.engine);
    if (rc == HWS_OK)
        snprintf(name, sizeof name, "rank %d on host %.*s", peer, (int)strcspn(value, "/"), value);
    else
        snprintf(name, sizeof name, "rank %d", peer);
    return name;
}

bool hws_world_abort(int exit_code, const char *text)
{
    struct hws_engine *e = hws_world.engine;
    if (!hws_world.pmi)
        return false;
    if (e)
        hws_engine_lock(e);
    hws_pmi_abort(hws_world.pmi, exit_code, text);
    if (e)
        hws_engine_unlock(e);
    return true;
}

void hws_launcher_close(void)
{
    free(hosts);
    hosts = NULL;
    hosts_asked = false;
    free(sites);
    sites = NULL;
    sites_asked = false;
    hws_pmi_close(hws_world.pmi);
    hws_world.pmi = NULL;
}
