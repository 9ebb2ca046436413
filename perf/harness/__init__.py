# SPDX-License-Identifier: BSD-3-Clause
"""What perf/compare is made of: jobs (time-limited runs), stacks (the MPIs), benches (what is run), table, plots."""
