#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checks the files under data/ with the validators of their formats. Prints only problems.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

id=io.github.touchtone.Touchtone
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() { printf 'check-data: %s\n' "$*" >&2; failed=1; }
has() {
    command -v "$1" >/dev/null && return 0
    if [ -n "${TOUCHTONE_REQUIRE_PEERS:-}" ]; then fail "$1 is missing (package $2)"; fi
    return 1
}

if has desktop-file-validate desktop-file-utils; then
    desktop-file-validate "data/$id.desktop" || fail 'the desktop entry is not valid'
fi
if has appstreamcli appstream; then
    # The id has the case of the desktop entry and the D-Bus name; only a pedantic hint is about that. `developer` is of
    # AppStream 1.0, and unknown to 0.16.
    appstreamcli validate --no-net --pedantic "data/$id.metainfo.xml" >"$scratch/metainfo" 2>&1 &&
        ! grep -v -e cid-contains-uppercase-letter -e 'unknown-tag developer$' "$scratch/metainfo" | grep -q '^[A-Z]:' ||
        fail "the metainfo is not valid: $(cat "$scratch/metainfo")"
fi
/usr/bin/python3 Tests/Tools/check_packaging.py || failed=1
/usr/bin/python3 Tests/Tools/check_installed.py || failed=1
/usr/bin/python3 Tests/Driver/client_table.py docs/clients.md || failed=1
/usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "data/$id.doap" ||
    fail 'the DOAP file is not well-formed XML'
if has glib-compile-schemas libglib2.0-bin; then
    glib-compile-schemas --strict --targetdir="$scratch" data || fail 'the schema is not valid'
    cmp -s "$scratch/gschemas.compiled" data/gschemas.compiled ||
        fail 'data/gschemas.compiled is out of date: run glib-compile-schemas --strict data'
fi
if has xgettext gettext; then
    bash data/po/make-pot.sh "$scratch/pot" || fail 'data/po/make-pot.sh failed'
    cmp -s "$scratch/pot" data/po/touchtone.pot || fail 'data/po/touchtone.pot is stale: run make pot'
    # The desktop entry and the metainfo in all languages, as they are installed.
    mkdir -p "$scratch/share/applications" "$scratch/share/metainfo"
    cp "data/$id.desktop" "$scratch/share/applications"
    cp "data/$id.metainfo.xml" "$scratch/share/metainfo"
    bash data/po/install.sh "$scratch/share" || fail 'the translations are not valid'
    ! has desktop-file-validate desktop-file-utils || desktop-file-validate "$scratch/share/applications/$id.desktop" ||
        fail 'the translated desktop entry is not valid'
    ! has appstreamcli appstream || appstreamcli validate --no-net "$scratch/share/metainfo/$id.metainfo.xml" >"$scratch/metainfo" 2>&1 ||
        fail "the translated metainfo is not valid: $(cat "$scratch/metainfo")"
fi
if has man man-db; then
    for page in data/*.1; do
        warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -l "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || fail "$page: $warnings"
    done
fi
for script in data/packaging/*.sh data/icons/*.sh data/meson/*.sh data/po/*.sh Tests/*.sh Tests/Fuzz/*.sh .ci/run; do
    [ ! -e "$script" ] || bash -n "$script" || fail "$script has syntax errors"
done
exit "$failed"
