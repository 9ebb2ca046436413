#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rules of the house that a program can check.
cd "${srcdir:-.}" || exit 99
n=0 failed=0
verdict()
{
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        printf '%s\n' "$out" | sed 's/^/#   /'
        failed=1
    fi
}
out=$(tools/check-includes . 2>&1)
verdict $? "includes point down only"
out=$(tools/check-names . 2>&1)
verdict $? "the files that comments and documents name exist"
out=$(tools/check-size . 2>&1)
rc=$?
out=$(printf '%s\n' "$out" | grep -E 'too large|Error')
verdict $rc "headers, structs and folders are no larger than they may be"
out=$(grep -rL 'SPDX-License-Identifier: BSD-3-Clause' src tools tests examples perf include man --include='*.[ch]' \
    --include='*.py' --include='*.sh' --include='*.[0-9]' 2>&1)
[ -z "$out" ]
verdict $? "every source names its licence"
out=$(find tests/unit -name '*_test.c' | sed 's,/[^/]*$,,' | sort -u | while read -r dir; do
    [ -d "src/${dir#tests/unit/}" ] || echo "$dir: there is no src/${dir#tests/unit/}"
done)
[ -z "$out" ]
verdict $? "unit tests are in the folders and rooms of what they test"
out=$(find tests -name '*.test')
for script in $(find tests -name '*.test.*'); do
    case "$script $(head -1 "$script")" in
    *.test.py\ *python3 | *.test.sh\ *sh) ;;
    *) out="$out $script" ;;
    esac
done
[ -z "$out" ]
verdict $? "scripts are named NAME.test.py or NAME.test.sh, as their language is"
out=$(nm --extern-only --defined-only "${builddir:-build}/libmpi_all.o" 2>/dev/null | awk 'NF == 3 { print $3 }' |
    grep -vE '^(hws_|P?MPI_|__odr_asan)' | sort -u)
[ -z "$out" ] && [ -e "${builddir:-build}/libmpi_all.o" ]
verdict $? "what is not static is named hws_"
# What Debian's packages are built with, the image and Spack's recipe have, too (by another name): configure leaves out without a
# word what it does not find, such as the gateway without OpenSSL.
out=$(for package in $(sed -n 's/^Build-Depends: //p' debian/control | tr -d , | sed 's/([^)]*)//g'); do
    case $package in
    debhelper-compat) continue ;;
    pkg-config) spack=pkgconfig ;;
    python3) spack='python@3:' ;;
    gfortran) spack=fortran ;;
    libsctp-dev) spack=lksctp-tools ;;
    libssl-dev) spack='openssl@3:' ;;
    libjemalloc-dev | libhwloc-dev) spack=${package#lib} && spack=${spack%-dev} ;;
    *) spack=${package%-dev} ;;
    esac
    grep -qE "(^| )$package( |\$)" packaging/Containerfile || echo "packaging/Containerfile lacks $package"
    grep -qF "depends_on(\"$spack\"" packaging/spack/packages/hawser/package.py || echo "Spack's recipe lacks $spack"
done)
[ -z "$out" ]
verdict $? "the image and Spack's recipe have all that Debian's packages are built with"
if command -v clang-format >/dev/null; then
    out=$(tools/format --check 2>&1 | grep -o '^[^:]*:[0-9]*' | head -20)
    [ -z "$out" ]
    verdict $? "tools/format would change nothing"
else
    n=$((n + 1)) && echo "ok $n - tools/format would change nothing # SKIP no clang-format"
fi
echo "1..$n"
exit $failed
