#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Renders the scalable icon in the sizes of the icon theme: make icons. Up to 32 pixels, it renders the drawings in
# small/, whose edges lie on pixels. The pictures are committed, so that a build does not need librsvg's command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

id=io.github.touchtone.Touchtone
# render DRAWING SIZE
render() {
    mkdir -p "hicolor/$2x$2/apps"
    rsvg-convert --width="$2" --height="$2" "$1" --output="hicolor/$2x$2/apps/$id.png"
}

render small/16.svg 16
render small/24.svg 24
render small/16.svg 32
for size in 48 64 96 128 256 512; do render "hicolor/scalable/apps/$id.svg" "$size"; done
# The panels of some desktops have 22 pixels.
sed 's/viewBox="0 0 24 24"/viewBox="1 1 22 22"/' small/24.svg | render /dev/stdin 22
