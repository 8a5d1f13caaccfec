#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the list of texts for translators to the file that is named: make pot. The same sources give the same bytes.
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LC_ALL=C.UTF-8

id=io.github.touchtone.Touchtone
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# quiet COMMAND...: prints the messages of a command only if it fails; newer versions warn of much that is meant.
quiet() { "$@" 2>"$scratch/messages" || { cat "$scratch/messages" >&2; return 1; }; }
# gettext's own rules for the metainfo omit some texts.
[ -e /usr/share/gettext/its/metainfo.its ] || { echo 'appstream is missing, which knows the texts of the metainfo.' >&2; exit 1; }
# Versions of gettext wrap lines at different places.
common=(--no-wrap --from-code=UTF-8 --sort-by-file --add-location=file --add-comments=Translators:
    --package-name=Touchtone --copyright-holder='The Touchtone authors' --output="$scratch/pot")

# gettext knows no Swift before 0.25. Its lexer of Vala reads the literals that TranslationRules allows, and warns of others,
# such as \u{2068}.
find Sources -name '*.swift' | LC_ALL=C sort |
    quiet xgettext "${common[@]}" --language=Vala --keyword --keyword=localized:1 --keyword=localizedIn:1c,2 \
        --keyword=localizedPlural:1,2 --files-from=-
# It has seen ASCII alone, and the next run joins what is not.
sed -i 's/charset=CHARSET/charset=UTF-8/' "$scratch/pot"
quiet xgettext "${common[@]}" --join-existing data/ui/*.ui "data/$id.desktop" "data/$id.metainfo.xml" "data/$id.gschema.xml"

# Without the day, which would differ at each run. The names in braces are those of Python's format, which msgfmt checks.
# There are no formats of C, but xgettext takes “% e” for one.
awk '
    /^"POT-Creation-Date:/ || /^# (SOME|FIRST)/ || /^#, c-format$/ { next }
    /^$/ { flush(); print; next }
    { entry[++lines] = $0; if (/^"?(msgid|msgid_plural)? ?".*\{[a-z]+\}/) braces = 1 }
    END { flush() }
    function flush(    i, flagged) {
        for (i = 1; i <= lines; i++) {
            if (braces && !flagged && entry[i] ~ /^msg/) { print "#, python-brace-format"; flagged = 1 }
            print entry[i]
        }
        lines = braces = 0
    }' "$scratch/pot" >"$out"
