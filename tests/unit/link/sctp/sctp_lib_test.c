/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_lib_test: libsctp is loaded when it is wanted; what is said where it is missing.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/errors.h"
#include "link/sctp/sctp_lib.h"

Test(sctp_lib, missing)
{
    char err[512] = "";
    cr_assert_eq(hws_sctp_lib_load("libsctp-none.so.1", err, sizeof err), HWS_ESYS);
    cr_expect(strstr(err, "libsctp-none.so.1 not found (Debian: libsctp1); use -transport tcp") == err, "%s", err);
    cr_expect_null(hws_sctp_lib.bindx);
}

Test(sctp_lib, another_library)
{
    char err[512] = "";
    cr_assert_eq(hws_sctp_lib_load("libc.so.6", err, sizeof err), HWS_ESYS);
    cr_expect(strstr(err, "libc.so.6 has no sctp_bindx()") == err, "%s", err);
    cr_expect_null(hws_sctp_lib.bindx);
}

Test(sctp_lib, loaded_once)
{
    char err[512] = "";
    int rc = hws_sctp_lib_load(HWS_SCTP_LIB, err, sizeof err);
    if (rc == HWS_ESYS && strstr(err, "not found"))
        cr_skip_test("%s", err);
    cr_assert_eq(rc, HWS_OK, "%s", err);
    cr_expect_not_null(hws_sctp_lib.bindx);
    cr_expect_not_null(hws_sctp_lib.connectx);
    cr_expect_not_null(hws_sctp_lib.recvv);
    cr_expect_not_null(hws_sctp_lib.getpaddrs);
    cr_expect_not_null(hws_sctp_lib.freepaddrs);
    cr_expect_eq(hws_sctp_lib_load("libsctp-none.so.1", err, sizeof err), HWS_OK);
}
