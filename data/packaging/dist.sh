#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a tarball of the last commit, and prints its name: make dist. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=$(git show HEAD:Sources/touchtone/Main.swift | sed -n 's/.* version = "\(.*\)"/\1/p')
mkdir -p build
git archive --format=tar.gz --prefix="touchtone-$version/" --output="build/touchtone-$version.tar.gz" HEAD
printf '%s\n' "build/touchtone-$version.tar.gz"
