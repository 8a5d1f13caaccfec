#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# build-deb.sh TARBALL: builds the Debian source package and the binary packages of a tarball from `make dist`,
# in a folder `deb` beside it, and checks them with lintian. The same tarball gives the same bytes.
set -euo pipefail
tarball=$(realpath "$1")
version=$(basename "$tarball" .tar.gz)
version=${version#touchtone-}
swift=${SWIFT:-swift}

# debhelper sets an empty home folder, in which swiftly finds no toolchain; so pass the program that it would start.
toolchain=$("$swift" -print-target-info | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/usr/lib/swift".*|\1|p')
[ ! -x "$toolchain/usr/bin/swift" ] || swift=$toolchain/usr/bin/swift
export SWIFT=$swift

folder=$(dirname "$tarball")/deb
rm -rf "$folder"
mkdir -p "$folder"
cp "$tarball" "$folder/touchtone_$version.orig.tar.gz"
tar -C "$folder" -xzf "$tarball"
cd "$folder/touchtone-$version"
cp -R data/packaging/debian debian
dpkg-buildpackage --unsigned-source --unsigned-changes
lintian --fail-on error,warning --info ../*.changes
ls -1 ../*.deb
