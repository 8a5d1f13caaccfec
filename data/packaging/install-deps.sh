#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# install-deps.sh [--list] GROUP...: installs the missing packages of the groups in packages.txt, and prints each with
# its reason. It never prompts. With --list, it only prints the missing packages, and fails if there are any.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
swift=${SWIFT:-swift}
least_swift=6.2

say() { printf '%s\n' "$*" >&2; }

# at_least HAVE WANT: succeeds if version HAVE is WANT or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

check_swift() {
    local version='' said=''
    if command -v "$swift" >/dev/null; then
        said=$("$swift" --version 2>&1) || say_why_swift_fails "$said"
        version=$(printf '%s\n' "$said" | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    fi
    if [ -z "$version" ] || ! at_least "$version" "$least_swift"; then
        if [ -n "$version" ]; then version="this is Swift $version"; else version='Swift was not found'; fi
        say "Touchtone needs Swift $least_swift or newer; $version."
        say 'No distribution packages it. Install it from https://www.swift.org/install/linux/:'
        say '  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz'
        say '  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init'
        say 'Then open a new shell, or set SWIFT=/path/to/swift.'
        exit 1
    fi
}

# say_why_swift_fails OUTPUT: prints the output of a toolchain that does not start and the packages that it may need,
# then exits.
say_why_swift_fails() {
    local lacking
    lacking=$({ missing swift | cut -f 1; of_library_in "$1"; } | sort -u | paste -sd ' ')
    say "Swift is installed, but does not start. $(command -v "$swift") printed:"
    say "  ${1:-nothing}"
    say 'Packages that swift.org requires may be missing. On Debian and Ubuntu, run as root:'
    say "  apt-get install ${lacking:-$(group_of swift | cut -f 1 | paste -sd ' ')}"
    exit 1
}

# of_library_in TEXT: prints the packages in the swift group whose library TEXT names, as the loader's errors do.
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
    grep -qiF "$1" <<<"$fonts"
}

# is_there PROBE: succeeds if the system has what the probe (see packages.txt) looks for.
is_there() {
    local what=${1#*:} folder
    case $1 in
        pc:*) command -v pkg-config >/dev/null && pkg-config --exists "${what%%>=*} >= ${what##*>=}" ;;
        cmd:*)
            local name
            for name in ${what//,/ }; do command -v "$name" >/dev/null || [ -x "/usr/sbin/$name" ] || return 1; done
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
        *) say "packages.txt: unknown probe: $1"; exit 2 ;;
    esac
}

trim() { local text=$1; text=${text#"${text%%[![:space:]]*}"}; printf '%s' "${text%"${text##*[![:space:]]}"}"; }

# group_of GROUP...: prints the entries of the groups in packages.txt, as lines of PACKAGE<tab>PROBE<tab>REASON.
group_of() {
    local group package probe reason
    while IFS='|' read -r group package probe reason; do
        group=$(trim "$group")
        case $group in '' | '#'*) continue ;; esac
        case " $* " in *" $group "*) ;; *) continue ;; esac
        printf '%s\t%s\t%s\n' "$(trim "$package")" "$(trim "$probe")" "$(trim "$reason")"
    done <"$here/packages.txt"
}

# missing GROUP...: prints the missing packages of the groups, as lines of PACKAGE<tab>REASON.
missing() {
    local package probe reason
    group_of "$@" | while IFS=$'\t' read -r package probe reason; do
        if [ "$package" = liblinphone-dev ] && [ "${TOUCHTONE_SIP:-}" = 0 ]; then continue; fi
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
say 'Missing packages:'
printf '%s\n' "$wanted" | while IFS=$'\t' read -r package reason; do
    say "$(printf '  %-20s %s' "$package" "$reason")"
done
mapfile -t packages < <(printf '%s\n' "$wanted" | cut -f 1)
if $only_list; then exit 1; fi

if ! command -v apt-get >/dev/null; then
    say 'These are the Debian and Ubuntu names. Install the equivalents for your distribution, then try again.'
    exit 1
fi
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say 'Root is required, and sudo is not installed. Run as root:'
    say "  apt-get install ${packages[*]}"
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
say "Installing: ${packages[*]}"
# A new machine or container has no package lists yet, and old lists may name files that no longer exist.
if ! apt-get install --simulate --no-install-recommends "${packages[@]}" >/dev/null 2>&1; then
    as_root apt-get -q update
fi
install=(apt-get -q -y --no-install-recommends install)
as_root "${install[@]}" "${packages[@]}" || { as_root apt-get -q update && as_root "${install[@]}" "${packages[@]}"; }

hash -r
fonts=
still=$(missing "$@" | cut -f 1 | tr '\n' ' ')
if [ -n "$still" ]; then
    say "Installed, but still missing or too old: $still"
    exit 1
fi
