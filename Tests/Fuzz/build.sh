#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh FOLDER stanzas|vcards: builds a fuzzer for stanzas or vCards in FOLDER, with libFuzzer and AddressSanitizer
# from the toolchain. The fuzzers are not targets of the package, because libFuzzer has its own main function.
# `make test` builds them without optimization, which takes a quarter of the time. For long runs, set OPTIMIZE=-O: they
# then try two to three times as many inputs a second.
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz stanzas
#   SWIFT_BACKTRACE=enable=no build/fuzz/stanzas -dict=Tests/Fuzz/stanzas.dict -max_len=8192 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/corpus
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz vcards
#   SWIFT_BACKTRACE=enable=no build/fuzz/vcards \
#       -dict=Tests/Fuzz/vcards.dict -max_len=4096 -timeout=5 -rss_limit_mb=1024 -max_total_time=60 \
#       build/fuzz/new Tests/Fuzz/vcards
# Swift's backtraces read memory that AddressSanitizer forbids, so they are disabled.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
case $2 in
    stanzas) module=TouchtoneXMPP fuzz=StanzaFuzz packages=(gio-unix-2.0 expat libidn gnutls)
        systems=(CGio CExpat CIDN CGnuTLS) ;;
    vcards) module=TouchtoneBooks fuzz=VCardFuzz packages=(gio-unix-2.0) systems=(CGio) ;;
esac
# Skip the build if nothing has changed.
if [ -x "$out/$2" ] && [ -z "$(find Sources/TouchtoneCore "Sources/$module" Tests/Fuzz -newer "$out/$2" \
    \( -name '*.swift' -o -name '*.sh' \) -print -quit)" ]; then exit 0; fi
read -ra flags < <(pkg-config --cflags "${packages[@]}" | sed 's/-pthread//g; s/\(-[^ ]*\)/-Xcc \1/g')
read -ra libraries < <(pkg-config --libs "${packages[@]}" | sed 's/-pthread//g')
common=(-swift-version 6 "${OPTIMIZE:--Onone}" -wmo -parse-as-library -package-name touchtone "${flags[@]}"
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault)
for system in "${systems[@]}"; do common+=(-I "Sources/$system"); done
mapfile -t core < <(find Sources/TouchtoneCore -name '*.swift' | sort)
mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
if [ ! -e "$out/core.o" ] || [ -n "$(find Sources/TouchtoneCore -newer "$out/core.o" -name '*.swift' -print -quit)" ]; then
    swiftc "${common[@]}" -module-name TouchtoneCore -emit-module-path "$out/TouchtoneCore.swiftmodule" \
        -c "${core[@]}" -o "$out/core.o"
fi
swiftc "${common[@]}" -I "$out" -module-name "$module" -sanitize=fuzzer,address \
    "${sources[@]}" "Tests/Fuzz/$fuzz.swift" "$out/core.o" "${libraries[@]}" -o "$out/$2"
