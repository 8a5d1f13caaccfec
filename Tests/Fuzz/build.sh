#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the fuzzer of the stanza path into the folder $1: libFuzzer and AddressSanitizer, which are in the toolchain.
# It is no target of the package: libFuzzer brings a main function of its own.
#   Tests/Fuzz/build.sh build/fuzz
#   SWIFT_BACKTRACE=enable=no build/fuzz/stanzas -dict=Tests/Fuzz/stanzas.dict -max_len=8192 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/corpus
# Swift's own backtraces read memory that AddressSanitizer does not allow.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# Only where something has changed since.
if [ -x "$out/stanzas" ] && [ -z "$(find Sources/TouchtoneCore Sources/TouchtoneXMPP Tests/Fuzz -newer "$out/stanzas" \
    \( -name '*.swift' -o -name '*.sh' \) -print -quit)" ]; then exit 0; fi
read -ra flags < <(pkg-config --cflags gio-unix-2.0 expat libidn gnutls | sed 's/-pthread//g; s/\(-[^ ]*\)/-Xcc \1/g')
read -ra libraries < <(pkg-config --libs gio-unix-2.0 expat libidn gnutls | sed 's/-pthread//g')
common=(-swift-version 6 -O -wmo -parse-as-library "${flags[@]}"
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault)
for module in CGio CExpat CIDN CGnuTLS; do common+=(-I "Sources/$module"); done
mapfile -t core < <(find Sources/TouchtoneCore -name '*.swift' | sort)
mapfile -t sources < <(find Sources/TouchtoneXMPP -name '*.swift' | sort)
swiftc "${common[@]}" -module-name TouchtoneCore -emit-module-path "$out/TouchtoneCore.swiftmodule" \
    -c "${core[@]}" -o "$out/core.o"
swiftc "${common[@]}" -I "$out" -module-name TouchtoneXMPP -sanitize=fuzzer,address \
    "${sources[@]}" Tests/Fuzz/StanzaFuzz.swift "$out/core.o" "${libraries[@]}" -o "$out/stanzas"
