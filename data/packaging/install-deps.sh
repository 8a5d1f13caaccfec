#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# install-deps.sh GROUP...: installs what is missing of the groups in packages.txt, and says what and why.
# Asks nothing. With --list it only says what is missing, and fails if anything is.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
swift=${SWIFT:-swift}
least_swift=6.2

say() { printf '%s\n' "$*" >&2; }

# at_least HAVE WANT: compares versions.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

check_swift() {
    local version='' said=''
    if command -v "$swift" >/dev/null; then
        said=$("$swift" --version 2>&1) || say_why_swift_fails "$said"
        version=$(printf '%s\n' "$said" | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    fi
    if [ -z "$version" ] || ! at_least "$version" "$least_swift"; then
        say "Touchtone needs Swift $least_swift or newer; ${version:+this is Swift $version}${version:-there is none here}."
        say 'No distribution packages it; get it from https://www.swift.org/install/linux/:'
        say '  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz'
        say '  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init'
        say 'then open a new shell, or name one with SWIFT=/path/to/swift.'
        exit 1
    fi
}

# say_why_swift_fails SAID: prints what the toolchain said as it failed to start, and what it may lack; ends the script.
say_why_swift_fails() {
    local lacking
    lacking=$({ missing swift | cut -f 1; of_library_in "$1"; } | sort -u | paste -sd ' ')
    say "Swift is here, but does not start. $(command -v "$swift") says:"
    say "  ${1:-nothing}"
    say 'What swift.org asks for may be missing. On Debian and Ubuntu, as root:'
    say "  apt-get install ${lacking:-$(group_of swift | cut -f 1 | paste -sd ' ')}"
    exit 1
}

# of_library_in TEXT: the packages of the group swift with a library that the text names, as the loader's errors do.
of_library_in() {
    local package probe name
    group_of swift | while IFS=$'\t' read -r package probe _; do
        case $probe in lib:*) name=${probe#lib:} ;; *) continue ;; esac
        case $1 in *${name%%.so*}.so*) printf '%s\n' "$package" ;; esac
    done
}

library_folders() {
    local multiarch
    multiarch=$(uname -m)-linux-gnu
    printf '%s\n' "/usr/lib/$multiarch" "/lib/$multiarch" /usr/lib64 /usr/lib /usr/local/lib \
        /usr/libexec /usr/libexec/at-spi2-core
}

fonts=
has_font() {
    command -v fc-list >/dev/null || return 1
    [ -n "$fonts" ] || fonts=$(fc-list : family)
    printf '%s\n' "$fonts" | grep -qiF "$1"
}

# is_there PROBE: whether the system has what the probe (see packages.txt) asks for.
is_there() {
    local what=${1#*:} folder
    case $1 in
        pc:*) command -v pkg-config >/dev/null && pkg-config --exists "${what%%>=*} >= ${what##*>=}" ;;
        cmd:*)
            local name
            for name in ${what//,/ }; do command -v "$name" >/dev/null || return 1; done
            ;;
        header:*)
            for folder in /usr/include "/usr/include/$(uname -m)-linux-gnu" /usr/local/include; do
                if [ -e "$folder/$what" ]; then return 0; fi
            done
            return 1
            ;;
        cxx)
            local clang
            clang=$(dirname "$(readlink -f "$(command -v "$swift")")")/clang++
            [ -x "$clang" ] || clang=c++
            printf '#include <string>\n' | "$clang" -x c++ -fsyntax-only - 2>/dev/null
            ;;
        font:*) has_font "$what" ;;
        gi:*) /usr/bin/python3 -c "import gi; gi.require_version('${what%-*}', '${what##*-}')" 2>/dev/null ;;
        py:*) /usr/bin/python3 -c "import $what" 2>/dev/null ;;
        share:*) [ -e "/usr/share/$what" ] ;;
        lib:*)
            while read -r folder; do
                if compgen -G "$folder/$what" >/dev/null; then return 0; fi
            done < <(library_folders)
            return 1
            ;;
        *) say "packages.txt: no such probe: $1"; exit 2 ;;
    esac
}

trim() { local text=$1; text=${text#"${text%%[![:space:]]*}"}; printf '%s' "${text%"${text##*[![:space:]]}"}"; }

# group_of GROUP...: what packages.txt has of the groups, as lines of PACKAGE<tab>PROBE<tab>REASON.
group_of() {
    local group package probe reason
    while IFS='|' read -r group package probe reason; do
        group=$(trim "$group")
        case $group in '' | '#'*) continue ;; esac
        case " $* " in *" $group "*) ;; *) continue ;; esac
        printf '%s\t%s\t%s\n' "$(trim "$package")" "$(trim "$probe")" "$(trim "$reason")"
    done <"$here/packages.txt"
}

# What is missing of the groups, as lines of PACKAGE<tab>REASON.
missing() {
    local package probe reason
    group_of "$@" | while IFS=$'\t' read -r package probe reason; do
        is_there "$probe" </dev/null || printf '%s\t%s\n' "$package" "$reason"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi
}

only_list=false
[ "${1:-}" != --list ] || { only_list=true; shift; }
case " $* " in *' build '*) check_swift ;; esac

wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0
say 'Missing here:'
printf '%s\n' "$wanted" | while IFS=$'\t' read -r package reason; do
    say "$(printf '  %-20s %s' "$package" "$reason")"
done
mapfile -t packages < <(printf '%s\n' "$wanted" | cut -f 1)
if $only_list; then exit 1; fi

if ! command -v apt-get >/dev/null; then
    say 'The names are those of Debian and Ubuntu. Install the same from your distribution, then try again.'
    exit 1
fi
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say 'This takes root, and there is no sudo. As root:'
    say "  apt-get install ${packages[*]}"
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
say "Installing: ${packages[*]}"
# A fresh machine or container has no package lists yet, and old ones may name files that are gone.
if ! apt-get install --simulate --no-install-recommends "${packages[@]}" >/dev/null 2>&1; then
    as_root apt-get -q update
fi
install=(apt-get -q -y --no-install-recommends install)
as_root "${install[@]}" "${packages[@]}" || { as_root apt-get -q update && as_root "${install[@]}" "${packages[@]}"; }

hash -r
fonts=
still=$(missing "$@" | cut -f 1 | tr '\n' ' ')
if [ -n "$still" ]; then
    say "Installed, but still not found, or too old here: $still"
    exit 1
fi
