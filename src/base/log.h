/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HWS_BASE_LOG_H
#define HWS_BASE_LOG_H
#include <stdio.h>
#define HWS_LOG_PEER 1
#define hws_trace(f, ...) do { if (0) fprintf(stderr, __VA_ARGS__); } while (0)
#endif
