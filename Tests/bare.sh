#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bare.sh [--keep] COMMAND...: runs a command on a copy of this checkout, in a Debian 12 that has only the packages that
# swift.org asks for (the group `swift` of packages.txt), git and make. The toolchain is the one in PATH, or SWIFT.
#
# Takes root and a Debian mirror, and a minute before the command. The copy holds the files that git knows or would add,
# as they are now. The exit status is the command's, or 125 where there can be no such system; one line then says why.
# --keep leaves the system behind, for a look at it, and says where.
set -euo pipefail

release=bookworm
impossible=125
swift=${SWIFT:-swift}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=$here/Tests/bare.sh

give_up() {
    printf 'No bare Debian here: %s.\n' "$*" >&2
    exit "$impossible"
}

# The second half of this script, in namespaces of its own: the mounts and processes are gone with it, however it ends,
# and nobody outside ever sees the mounts. ROOT TOOLCHAIN COMMAND...
inside() {
    local root=$1 toolchain=$2 node variable environment status=0
    shift 2
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
    for node in null zero full random urandom tty; do
        : >"$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    for node in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${node#*:}" "$root/dev/${node%:*}"; done
    mkdir -p "$root/opt/swift"
    mount --bind "$toolchain" "$root/opt/swift"
    mount -o remount,bind,ro "$root/opt/swift"

    environment=(HOME=/root LANG=C.UTF-8 "TERM=${TERM:-dumb}"
        PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    for variable in CI http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!variable:-}" ] || environment+=("$variable=${!variable}")
    done
    # Not exec: this shell is the first process of its namespace, and reaps those that lost their parent.
    chroot "$root" /usr/bin/env -i "${environment[@]}" bash -c 'cd /src/touchtone && exec "$@"' bash "$@" || status=$?
    exit "$status"
}

# The sources of the machine that are of this release, mirrors and all; nothing where it is another one.
apt_sources() {
    local file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        if [ -e "$file" ] && grep -v '^[[:space:]]*#' "$file" | grep -qE "[[:space:]]$release([[:space:]]|$)"; then
            printf '%s\n' "$file"
        fi
    done
}

# How the machine reaches its mirrors: proxies, time-outs, which checks of dates are left out.
apt_options() { apt-config dump --no-empty | grep -E '^Acquire::(https?|ftp|Retries|Check-|Max-|Force|Languages)' || true; }

# The folder that holds usr/bin/swift; swift itself may be a link, or swiftly's stand-in.
toolchain_folder() {
    local folder
    folder=$("$swift" -print-target-info 2>/dev/null | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/usr/lib/swift".*|\1|p')
    [ -n "$folder" ] && [ -x "$folder/usr/bin/swift" ] && printf '%s\n' "$folder"
}

packages() {
    printf '%s,' git make
    # apt itself needs the authorities where a mirror is reached by https.
    if [ $# -gt 0 ] && grep -qs 'https:' "$@"; then printf '%s,' ca-certificates; fi
    sed -n 's/^swift *| *\([^ ]*\) *|.*/\1/p' "$here/data/packaging/packages.txt" | paste -sd ,
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
fi

keep=false
[ "${1:-}" != --keep ] || { keep=true; shift; }
[ $# -gt 0 ] || { sed -n '4,9s/^# \?//p' "$script" >&2; exit 2; }

[ "$(id -u)" = 0 ] || give_up 'that takes root'
unshare --mount --pid --fork true 2>/dev/null || give_up 'namespaces are not allowed'
toolchain=$(toolchain_folder) || give_up "the toolchain of $swift was not found in a folder of its own"
git=(git -c 'safe.directory=*' -C "$here")
"${git[@]}" rev-parse --git-dir >/dev/null 2>&1 || give_up 'this is no checkout of git'
bash "$here/data/packaging/install-deps.sh" bare >/dev/null 2>&1 || give_up 'mmdebstrap is missing, and could not be installed'

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/touchtone-bare-XXXXXX")
root=$folder/root
child=
leave() {
    # Its death takes the namespaces with it, and every process and mount in them.
    if [ -n "$child" ]; then kill -KILL "$child" 2>/dev/null || true; wait "$child" 2>/dev/null || true; fi
    if $keep; then printf 'The system is in %s.\n' "$root" >&2; else rm -rf --one-file-system "$folder"; fi
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# apart COMMAND...: runs it in namespaces of its own, and can be ended meanwhile.
apart() {
    local status=0
    unshare --mount --pid --fork --kill-child "$@" <&0 &
    child=$!
    wait "$child" || status=$?
    child=
    return "$status"
}

chmod 755 "$folder"
mapfile -t sources < <(apt_sources)
apt_options >"$folder/apt.conf"
apart mmdebstrap --quiet --mode=root --variant=apt --aptopt="$folder/apt.conf" \
    --include="$(packages "${sources[@]}")" "$release" "$root" "${sources[@]}" >"$folder/log" 2>&1 ||
    give_up "$(grep '^E:' "$folder/log" | tail -n 1 || tail -n 1 "$folder/log")"
# The names of the mirrors may be the machine's own.
cp /etc/hosts "$root/etc/hosts"
mkdir -p "$root/src/touchtone"
"${git[@]}" ls-files -z --cached --others --exclude-standard | (
    cd "$here"
    while IFS= read -r -d '' file; do if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi; done
) | tar -C "$here" --null --files-from=- -c | tar -C "$root/src/touchtone" --no-same-owner -x

apart bash "$script" --inside "$root" "$toolchain" "$@"
