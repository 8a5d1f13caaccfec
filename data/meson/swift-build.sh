#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# swift-build.sh SWIFT CHECKOUT SCRATCH OUT static|shared [touchtone-sip]: builds the products for Meson's custom target.
set -euo pipefail
swift=$1 checkout=$2 scratch=$3/swift out=$4
options=(-c release --package-path "$checkout" --scratch-path "$scratch")
[ "$5" = shared ] || options+=(--static-swift-stdlib)
[ $# -gt 5 ] || export TOUCHTONE_SIP=0
for product in touchtone tonegen touchtone-pictures touchtone-sounds touchtone-numbers touchtone-books touchtone-web "${@:6}"; do
    "$swift" build "${options[@]}" --product "$product"
done
bin=$("$swift" build "${options[@]}" --show-bin-path)
cp "$bin/touchtone" "$bin/tonegen" "$bin"/touchtone-{pictures,sounds} "$bin"/libtouchtone-{numbers,books,web}.so "$out"
[ $# -le 5 ] || cp "$bin/$6" "$out"
