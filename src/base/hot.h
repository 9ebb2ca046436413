/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hot: marks functions that every message or every blocking collective runs through. The compiler lays them side by
 * side, so that they fill a few pages instead of one each: where ranks outnumber processors, a rank that gets its turn
 * finds all address translations gone, and each page that it touches costs a walk through the page tables (decision
 * 019).
 */
#ifndef HWS_BASE_HOT_H
#define HWS_BASE_HOT_H

#define HWS_HOT __attribute__((hot))

#endif
