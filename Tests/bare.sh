#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# bare.sh [--release RELEASE] [--keep] COMMAND...: runs a command on a copy of this checkout, in a Debian that has only
# git, make and a toolchain: bookworm (Debian 12, the default), trixie (Debian 13) or sid (unstable).
#
# In bookworm and trixie, that is the toolchain in PATH or SWIFT, with the packages that swift.org requires (the `swift`
# group of packages.txt). Debian unstable packages one that is new enough, which `make run` installs.
#
# It needs root and a Debian mirror, and takes a minute to set up. The copy has the files that git tracks or would add,
# as they are now. The exit status is the command's, or 125 with a one-line reason if the system cannot be set up.
# --keep keeps the system and prints its folder.
set -euo pipefail

release=bookworm
impossible=125
swift=${SWIFT:-swift}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=$here/Tests/bare.sh

give_up() {
    printf 'Cannot set up a bare Debian: %s.\n' "$*" >&2
    exit "$impossible"
}

# inside ROOT TOOLCHAIN COMMAND...: the second half of this script, in separate namespaces. Its mounts are invisible
# outside, and they and its processes disappear when it ends, however it ends.
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
    if [ -n "$toolchain" ]; then
        mkdir -p "$root/opt/swift"
        mount --bind "$toolchain" "$root/opt/swift"
        mount -o remount,bind,ro "$root/opt/swift"
    fi

    environment=(HOME=/root LANG=C.UTF-8 "TERM=${TERM:-dumb}"
        PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    for variable in CI http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!variable:-}" ] || environment+=("$variable=${!variable}")
    done
    # No exec: this shell is the first process of its namespace, and has to reap orphans.
    chroot "$root" /usr/bin/env -i "${environment[@]}" bash -c 'cd /src/touchtone && exec "$@"' bash "$@" || status=$?
    exit "$status"
}

# apt_sources: prints apt's sources for this release at the mirrors of the machine, which may run another release of
# Debian; nothing if it runs no Debian, so that mmdebstrap chooses. Unstable has no updates and no security archive.
apt_sources() {
    local codename uri suite component
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null) || true
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 2>/dev/null | sort -u |
        while read -r uri suite component; do
            case $release/$suite in
                */"$codename" | bookworm/"$codename"-* | trixie/"$codename"-*) ;;
                *) continue ;;
            esac
            printf 'deb %s %s %s\n' "$uri" "$release${suite#"$codename"}" "$component"
        done
}

# apt_options: prints how the machine reaches its mirrors: proxies, timeouts and date checks.
# The lists of a mirror that is a snapshot are past their date.
apt_options() {
    apt-config dump --no-empty | grep -E '^Acquire::(https?|ftp|Retries|Check-|Max-|Force|Languages)' || true
    printf '%s\n' 'Acquire::Check-Valid-Until "false";'
}

# toolchain_folder: prints the folder that contains usr/bin/swift; swift itself may be a link or swiftly's proxy.
toolchain_folder() {
    local folder
    folder=$("$swift" -print-target-info 2>/dev/null | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/usr/lib/swift".*|\1|p')
    [ -n "$folder" ] && [ -x "$folder/usr/bin/swift" ] && printf '%s\n' "$folder"
}

# packages SOURCE...: prints what the system has at first.
packages() {
    printf '%s,' git make
    # apt needs the certificate authorities for mirrors with https.
    case $* in *https:*) printf '%s,' ca-certificates ;; esac
    $has_toolchain || return 0
    sed -n 's/^swift *| *\([^ ]*\) *|.*/\1/p' "$here/data/packaging/packages.txt" | paste -sd ,
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
fi

usage() { sed -n '4,13s/^# \?//p' "$script" >&2; exit 2; }

keep=false
while :; do
    case ${1:-} in
        --keep) keep=true; shift ;;
        --release) release=${2:-}; shift 2 || usage ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || usage
has_toolchain=false
case $release in
    bookworm | trixie) has_toolchain=true ;;
    sid) ;;
    *) usage ;;
esac

[ "$(id -u)" = 0 ] || give_up 'root is required'
unshare --mount --pid --fork true 2>/dev/null || give_up 'namespaces are not allowed'
toolchain=
! $has_toolchain || toolchain=$(toolchain_folder) || give_up "no separate folder was found for the toolchain of $swift"
git=(git -c 'safe.directory=*' -C "$here")
"${git[@]}" rev-parse --git-dir >/dev/null 2>&1 || give_up 'this is not a git checkout'
bash "$here/data/packaging/install-deps.sh" bare >/dev/null 2>&1 || give_up 'mmdebstrap is missing and could not be installed'

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/touchtone-bare-XXXXXX")
root=$folder/root
child=
leave() {
    # Killing it ends its namespaces, with every process and mount in them.
    if [ -n "$child" ]; then kill -KILL "$child" 2>/dev/null || true; wait "$child" 2>/dev/null || true; fi
    if $keep; then printf 'The system is kept in %s.\n' "$root" >&2; else rm -rf --one-file-system "$folder"; fi
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# apart COMMAND...: runs a command in separate namespaces, from which `leave` can kill it.
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
# The mirrors' names may be defined only in this machine's hosts file.
cp /etc/hosts "$root/etc/hosts"
mkdir -p "$root/src/touchtone"
"${git[@]}" ls-files -z --cached --others --exclude-standard | (
    cd "$here"
    while IFS= read -r -d '' file; do if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi; done
) | tar -C "$here" --null --files-from=- -c | tar -C "$root/src/touchtone" --no-same-owner -x

apart bash "$script" --inside "$root" "$toolchain" "$@"
