#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs the translations into a data folder, such as /usr/share, where the desktop entry and the metainfo already are:
#   data/po/install.sh SHARE
# Meson gives a folder under MESON_INSTALL_DESTDIR_PREFIX.
set -euo pipefail
case $1 in
    /*) share=${MESON_INSTALL_DESTDIR_PREFIX:+${DESTDIR:-}}$1 ;;
    *) share=${MESON_INSTALL_DESTDIR_PREFIX:-$PWD}/$1 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")"

id=io.github.touchtone.Touchtone
languages=$(grep -v '^#' LINGUAS || true)
[ -n "$languages" ] || exit 0
for language in $languages; do
    mkdir -p "$share/locale/$language/LC_MESSAGES"
    msgfmt --check --output-file="$share/locale/$language/LC_MESSAGES/touchtone.mo" "$language.po"
done
msgfmt --desktop --template="../$id.desktop" -d . --output-file="$share/applications/$id.desktop"
msgfmt --xml --template="../$id.metainfo.xml" -d . --output-file="$share/metainfo/$id.metainfo.xml"
