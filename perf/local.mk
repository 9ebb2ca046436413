# perf
