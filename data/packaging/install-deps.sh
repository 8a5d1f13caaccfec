#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# install-deps.sh [--list | --optional] GROUP...: installs the missing packages of the groups in packages.txt, and prints
# each with its reason. It never prompts. With --list, it only prints the missing packages, and fails if there are any.
# With --optional, it only says so if they cannot be installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
swift=${SWIFT:-swift}
least_swift=6.2

say() { printf '%s\n' "$*" >&2; }

# at_least HAVE WANT: succeeds if version HAVE is WANT or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# check_swift: exits if the toolchain is missing or too old, and the distribution has none that is new enough.
check_swift() {
    local version='' said=''
    if command -v "$swift" >/dev/null; then
        said=$("$swift" --version 2>&1) || say_why_swift_fails "$said"
        version=$(printf '%s\n' "$said" | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    elif [ "$swift" = swift ] && at_least "$(packaged_swift)" "$least_swift"; then
        groups+=(toolchain)
        return
    fi
    if [ -z "$version" ] || ! at_least "$version" "$least_swift"; then
        if [ -n "$version" ]; then version="this is Swift $version"; else version='Swift was not found'; fi
        say "Touchtone needs Swift $least_swift or newer; $version."
        say 'Debian unstable and Fedora Rawhide package it. Debian 13 and Ubuntu 26.04 have older versions, Debian 12 has none.'
        say 'Elsewhere, install it from https://www.swift.org/install/linux/:'
        say '  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz'
        say '  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init'
        say 'Then open a new shell, or set SWIFT=/path/to/swift.'
        exit 1
    fi
}

# packaged_swift: prints the version of Swift that apt can install; 0 if there is none.
packaged_swift() {
    local version=
    if command -v apt-cache >/dev/null; then
        need_lists
        version=$(LC_ALL=C apt-cache policy swiftlang | sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
    fi
    printf '%s\n' "${version:-0}"
}

# need_lists: fetches the package lists of apt if there are none.
need_lists() {
    compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || $only_list || as_root apt-get -q update >&2 || true
}

# is_packaged PACKAGE: succeeds if the distribution has it.
is_packaged() {
    command -v apt-cache >/dev/null || return 1
    need_lists
    [ -n "$(LC_ALL=C apt-cache policy "$1" | sed -n '/^ *Candidate: [^(]/p')" ]
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
        is_there "$probe" </dev/null && continue
        case $package in *\?) is_packaged "${package%\?}" </dev/null || continue ;; esac
        printf '%s\t%s\n' "${package%\?}" "$reason"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        return 1
    fi
}

# fail MESSAGE: prints why the packages could not be installed, and exits.
fail() {
    say "$1"
    if $is_optional; then exit 0; else exit 1; fi
}

only_list=false
is_optional=false
case ${1:-} in
    --list) only_list=true; shift ;;
    --optional) is_optional=true; shift ;;
esac
groups=("$@")
case " $* " in *' build '*) check_swift ;; esac

wanted=$(missing "${groups[@]}")
[ -n "$wanted" ] || exit 0
say 'Missing packages:'
printf '%s\n' "$wanted" | while IFS=$'\t' read -r package reason; do
    say "$(printf '  %-20s %s' "$package" "$reason")"
done
mapfile -t packages < <(printf '%s\n' "$wanted" | cut -f 1)
if $only_list; then exit 1; fi

if ! command -v apt-get >/dev/null; then
    fail 'These are the Debian and Ubuntu names. Install the equivalents for your distribution, then try again.'
fi
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say 'Root is required, and sudo is not installed. Run as root:'
    fail "  apt-get install ${packages[*]}"
fi

export DEBIAN_FRONTEND=noninteractive
say "Installing: ${packages[*]}"
# A new machine or container has no package lists yet, and old lists may name files that no longer exist.
can_install() { apt-get install --simulate --no-install-recommends "${packages[@]}" >/dev/null 2>&1; }
can_install || as_root apt-get -q update || $is_optional
if $is_optional && ! can_install; then fail "apt cannot install them now: ${packages[*]}"; fi
install=(apt-get -q -y --no-install-recommends install)
as_root "${install[@]}" "${packages[@]}" || { as_root apt-get -q update && as_root "${install[@]}" "${packages[@]}"; }

hash -r
fonts=
still=$(missing "${groups[@]}" | cut -f 1 | tr '\n' ' ')
[ -z "$still" ] || fail "Installed, but still missing or too old: $still"
