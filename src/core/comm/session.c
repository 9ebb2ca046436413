/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/comm/session.h"

#include <stdlib.h>

void hws_session_drop(struct hws_session *s)
{
    if (s && hws_object_unref(&s->obj))
        free(s);
}
