#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh FOLDER stanzas|sessions|vcards|dialogs|headsets|setups|datagrams [PRODUCTS]: builds a fuzzer for stanzas, keys of
# OMEMO, vCards, dialogs of extensions, descriptors of headsets, offers of accounts or SIP in FOLDER, with libFuzzer and
# AddressSanitizer from the toolchain. The fuzzers are not targets of the package, because libFuzzer has its own main function.
# Only the module under test is compiled with the sanitizers; the modules that it imports are taken from
# PRODUCTS, the folder of a debug build of SwiftPM, or are compiled too if there is none.
# `make test` builds them without optimization, which takes a quarter of the time. For long runs, set OPTIMIZE=-O: they
# then try two to three times as many inputs a second.
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz stanzas
#   SWIFT_BACKTRACE=enable=no build/fuzz/stanzas -dict=Tests/Fuzz/stanzas.dict -max_len=8192 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/corpus
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz sessions
#   SWIFT_BACKTRACE=enable=no build/fuzz/sessions -dict=Tests/Fuzz/sessions.dict -max_len=1024 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/sessions
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz vcards
#   SWIFT_BACKTRACE=enable=no build/fuzz/vcards \
#       -dict=Tests/Fuzz/vcards.dict -max_len=4096 -timeout=5 -rss_limit_mb=1024 -max_total_time=60 \
#       build/fuzz/new Tests/Fuzz/vcards
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz dialogs
#   SWIFT_BACKTRACE=enable=no build/fuzz/dialogs -dict=Tests/Fuzz/dialogs.dict -max_len=4096 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/dialogs
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz headsets
#   SWIFT_BACKTRACE=enable=no build/fuzz/headsets -dict=Tests/Fuzz/headsets.dict -max_len=4200 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/headsets
#   OPTIMIZE=-O Tests/Fuzz/build.sh build/fuzz setups
#   SWIFT_BACKTRACE=enable=no build/fuzz/setups -dict=Tests/Fuzz/setups.dict -max_len=8192 -timeout=5 \
#       -rss_limit_mb=1024 -max_total_time=60 build/fuzz/new Tests/Fuzz/setups
#   OPTIMIZE=-O2 Tests/Fuzz/build.sh build/fuzz datagrams
#   build/fuzz/datagrams -dict=Tests/Fuzz/datagrams.dict -max_len=2048 -max_total_time=60 build/fuzz/new Tests/Fuzz/datagrams
# Swift's backtraces read memory that AddressSanitizer forbids, so they are disabled.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# The modules that it imports besides Core and GLibBridge, in an order in which they can be compiled.
more=()
case $2 in
    datagrams)
        exec clang -std=gnu11 "${OPTIMIZE:--O1}" -g -fsanitize=fuzzer,address -I Sources/CSIPShims/include \
            Tests/Fuzz/DatagramFuzz.c -o "$out/$2" ;;
    dialogs) module=DialogInfo fuzz=DialogFuzz packages=(expat) systems=(CExpat) ;;
    headsets) module=TouchtoneHeadset fuzz=HeadsetFuzz packages=(gio-unix-2.0) systems=(CGio) ;;
    setups) module=TouchtoneStore fuzz=SetupFuzz systems=(CGio CSQLite CSecret CSodium CGcrypt COMEMO) more=(TouchtoneOMEMO)
        packages=(gio-unix-2.0 sqlite3 libsecret-1 libsodium libgcrypt libomemo-c) ;;
    stanzas) module=TouchtoneXMPP fuzz=StanzaFuzz packages=(gio-unix-2.0 expat libidn libgcrypt libsodium)
        systems=(CGio CExpat CIDN CGcrypt CSodium)
        more=(HelperMessages SIPMessages TouchtoneHelpers TouchtoneEngine) ;;
    sessions) module=TouchtoneOMEMO fuzz=SessionFuzz packages=(gio-unix-2.0 libomemo-c libgcrypt)
        systems=(CGio COMEMO CGcrypt) ;;
    vcards) module=TouchtoneBooks fuzz=VCardFuzz packages=(gio-unix-2.0) systems=(CGio) ;;
esac
# Skip the build if nothing has changed.
if [ -x "$out/$2" ] && [ -z "$(find Sources/TouchtoneCore Sources/GLibBridge "Sources/$module" "${more[@]/#/Sources/}" Tests/Fuzz Tests/OMEMOTestSupport -newer "$out/$2" \
    \( -name '*.swift' -o -name '*.sh' \) -print -quit)" ]; then exit 0; fi
products=${3:-}
read -ra flags < <(pkg-config --cflags "${packages[@]}" | sed 's/-pthread//g; s/\(-[^ ]*\)/-Xcc \1/g')
read -ra libraries < <(pkg-config --libs "${packages[@]}" | sed 's/-pthread//g')
# SwiftPM names the package after the folder of the checkout.
package=touchtone
[ -z "$products" ] || package=$(grep -m1 -o '"-package-name","[^"]*"' "$products/../../debug.yaml" | head -n1 | cut -d'"' -f4)
common=(-swift-version 6 "${OPTIMIZE:--Onone}" -wmo -parse-as-library -package-name "$package" "${flags[@]}"
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault)
for system in "${systems[@]}"; do common+=(-I "Sources/$system"); done
mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
# Keys in memory.
[ "$2" != sessions ] || sources+=(Tests/OMEMOTestSupport/*.swift)
# object MODULE: compiles a module without sanitizers, unless nothing has changed since.
object() {
    local files
    mapfile -t files < <(find "Sources/$1" -name '*.swift' | sort)
    if [ ! -e "$out/$1.o" ] || [ -n "$(find "Sources/$1" -newer "$out/$1.o" -name '*.swift' -print -quit)" ]; then
        swiftc "${common[@]}" -module-name "$1" -emit-module-path "$out/$1.swiftmodule" -c "${files[@]}" -o "$out/$1.o"
    fi
}
imports=(TouchtoneCore GLibBridge "${more[@]}")
shims=(CGLibShims)
# It imports no module of ours.
[ "$2" != dialogs ] || imports=() shims=()
[ "$2" != stanzas ] || shims=(CGLibShims CHelperShims)
objects=()
if [ -n "$products" ]; then
    common+=(-I "$products/Modules")
    for shim in "${shims[@]}"; do common+=(-Xcc "-fmodule-map-file=$products/$shim.build/module.modulemap"); done
    # SwiftPM keeps the objects of files that no longer exist.
    for one in "${imports[@]}" "${shims[@]}"; do
        mapfile -t -O "${#objects[@]}" objects < <(
            find "Sources/$one" \( -name '*.swift' -o -name '*.c' \) -printf "$products/$one.build/%f.o\n")
    done
else
    # SwiftPM makes a module map for the headers of a C target; swiftc has to be given one.
    read -ra c < <(pkg-config --cflags gio-unix-2.0)
    for shim in "${shims[@]}"; do
        mkdir -p "$out/$shim"
        printf 'module %s \173\n  header "%s"\n\175\n' "$shim" "$PWD/Sources/$shim/include/$shim.h" \
            >"$out/$shim/module.modulemap"
        common+=(-I "$out/$shim")
        for file in "Sources/$shim"/*.c; do
            clang -O2 "${c[@]}" -I "Sources/$shim/include" -c "$file" -o "$out/$(basename "$file").o"
            objects+=("$out/$(basename "$file").o")
        done
    done
    common+=(-I "$out")
    for one in "${imports[@]}"; do
        object "$one"
        objects+=("$out/$one.o")
    done
fi
swiftc "${common[@]}" -module-name "$module" -sanitize=fuzzer,address \
    "${sources[@]}" "Tests/Fuzz/$fuzz.swift" "${objects[@]}" "${libraries[@]}" -o "$out/$2"
