/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix_test: what needs no server: whose a key is, and a library that is missing or is another one.
 */
#include "launch/pmix.h"

#include <criterion/criterion.h>
#include <string.h>

#include "../../support/sanitized.h"
#include "base/errors.h"
#include "launch/pmix_lib.h"

Test(pmix, keys_belong_to_ranks)
{
    cr_expect_eq(hws_pmix_owner("card-0"), 0);
    cr_expect_eq(hws_pmix_owner("card-17"), 17);
    cr_expect_eq(hws_pmix_owner("hawser-host-1048575"), 1048575);
    cr_expect_eq(hws_pmix_owner("hawser-secret"), 0);
    cr_expect_eq(hws_pmix_owner("hawser-mapping"), 0);
    cr_expect_eq(hws_pmix_owner("card-"), 0);
    cr_expect_eq(hws_pmix_owner("card-1x"), 0);
    cr_expect_eq(hws_pmix_owner("card"), 0);
}

Test(pmix, no_library)
{
    char err[512] = "";
    if (HWS_SANITIZED) /* whose dlopen() ends the program where it meets RTLD_DEEPBIND */
        cr_skip_test("no RTLD_DEEPBIND with sanitizers");
    cr_expect_eq(hws_pmix_lib_load("libhawser-none.so.9", err, sizeof err), HWS_ESYS);
    cr_expect_not_null(strstr(err, "libhawser-none.so.9 cannot be loaded: install libpmix2"), "%s", err);
    cr_expect_null(hws_pmix_lib.init);
}

Test(pmix, another_library)
{
    char err[512] = "";
    if (HWS_SANITIZED)
        cr_skip_test("no RTLD_DEEPBIND with sanitizers");
    cr_expect_eq(hws_pmix_lib_load("libc.so.6", err, sizeof err), HWS_ESYS);
    cr_expect_not_null(strstr(err, "libc.so.6 has no PMIx_Init()"), "%s", err);
}
