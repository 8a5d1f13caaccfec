#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs all tests in rows, three at a time: tests that mostly wait, for the running app or for frames, beside tests that
# compute. Tests that play and record sound run beside them if real-time priority is available, otherwise last and alone.
# The output has the log of each row that failed, and ends with its failures and the numbers of tests. All logs are in
# build/test-logs, where `make slow-tests` reads them.
#
#   run.sh [ROW...]     runs only these rows
#
# With TOUCHTONE_REPEAT, as .ci/run sets it, up to six failed tests run again, each alone. One that passes then fails by
# chance: the run does not fail for it, and names it at the end. It is a defect to mend all the same.
#
# With TOUCHTONE_SOURCES_TESTED, as .ci/run sets it for its second system, the tests of Core and of computed sound do not
# run: they use no library of the system, and the first one has run them.
#
# With TOUCHTONE_BUILD_ONCE, as .ci/run sets it, modules are compiled as a whole.
#
# With TOUCHTONE_DEADLINE, a time in seconds since 1970, rows that would begin in the nine minutes before it are left out and
# named, and rows still running at that time fail.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
wanted=" $* "
logs=build/test-logs
sound='TouchtoneAudioTests|ProgramTests/test(Tour|LockSounds|CallSounds|SoundsBySetting|VoiceMessages|MessageSound)$'
# Tests of sound that is computed, not played.
computed='MeasurementTests/(?!testRecorded)|DecodingTests/test(Decoders|Tonegen)|RandomDigitsTests'
rm -rf "$logs"
mkdir -p "$logs"

# Modules compiled as a whole are the quickest to build once, and the slowest to build again.
once=()
[ -z "${TOUCHTONE_BUILD_ONCE:-}" ] || once=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
"$swift" build --build-tests "${once[@]}" || exit 1
# Rows run the test program itself: each start of `swift test` takes more than three seconds of a processor.
program=.build/debug/touchtonePackageTests.xctest
xctests=$("$program" --list-tests | grep '/test') || exit 1

declare -A names=()
failed=() by_chance=() left_out=()

# seconds_left: prints the time to the deadline.
seconds_left() { echo $((TOUCHTONE_DEADLINE - $(date +%s))); }

# has_time: tells whether a row that begins now can end before the deadline.
has_time() { [ -z "${TOUCHTONE_DEADLINE:-}" ] || [ "$(seconds_left)" -ge 540 ]; }

# is_wanted ROW: tells whether to run a row.
is_wanted() { [[ $wanted =~ ^\ *$ || $wanted == *" $1 "* ]]; }

# start NAME ARGUMENT...: starts a row, which runs the test program with these arguments.
start() {
    local name=$1 limit=
    shift
    if [ -n "${TOUCHTONE_DEADLINE:-}" ]; then limit="timeout --kill-after=10 $(seconds_left)"; fi
    NO_COLOR=1 $priority $limit "$program" "$@" >"$logs/$name.log" 2>&1 &
    names[$!]=$name
}

# select_xctests PATTERN [EXCEPT]: prints one argument, the tests of XCTest whose names match PATTERN but not EXCEPT.
select_xctests() {
    grep -P "$1" <<<"$xctests" | grep -vP "${2:-^$}" | paste -sd,
}

# finish: waits for a row to end, and prints its log if it has failed.
finish() {
    local row status=0
    wait -n -p row || status=$?
    if [ -z "${row:-}" ]; then
        # The shell has already said that a signal ended it, and waits for it by its number only.
        for row in "${!names[@]}"; do kill -0 "$row" 2>/dev/null || break; done
        wait "$row"
        status=$?
    fi
    local name=${names[$row]}
    unset "names[$row]"
    if [ "$status" != 0 ]; then
        cat "$logs/$name.log"
        failed+=("$name")
    fi
    echo "Row $name has ended with status $status after $SECONDS s."
}

# summarize: prints the failures of each row that failed.
summarize() {
    local name
    for name in "${failed[@]}"; do
        echo "Failures in row $name:"
        grep -E ': error: |^✘ .* (recorded an issue|failed) |Fatal error|terminated|Sanitizer' "$logs/$name.log" ||
            tail "$logs/$name.log"
    done
}

# count RESULT: prints how many tests have passed or failed.
count() {
    cat "$logs"/*.log | LC_ALL=C.UTF-8 grep -aE "^(Test Case '[^']+' $1 \(|[^ ]+ +Test .+ $1 after )" |
        LC_ALL=C.UTF-8 grep -cvaE '^[^ ]+ +Test (run|case) '
}

# failed_tests ROW: prints the failed tests of a row, as the test program selects them: MODULE.CLASS/TEST or a function.
failed_tests() {
    LC_ALL=C.UTF-8 sed -nE "s/^Test Case '([^']+)\.([^']+)' failed \(.*/\1\/\2/p" "$logs/$1.log" | sort -u |
        while read -r test; do grep -E "\.$test\$" <<<"$xctests"; done
    LC_ALL=C.UTF-8 sed -nE 's/^[^ ]+ +Test ([A-Za-z0-9_]+)\(.* failed after .*/\1/p' "$logs/$1.log" | sort -u
}

# passes_alone ROW TEST: runs a failed test again, with what its row sets.
passes_alone() {
    local selection=("$2")
    [[ $2 == */* ]] || selection=(--testing-library swift-testing --filter "$2\\(")
    [ "$1" != ejabberd ] || export TOUCHTONE_XMPP_SERVER=ejabberd
    NO_COLOR=1 "$program" "${selection[@]}" >"$logs/$1.repeated" 2>&1
    local status=$?
    unset TOUCHTONE_XMPP_SERVER
    return "$status"
}

# has_ended ROW: tells whether all tests of a row ran.
has_ended() { grep -qE "^Test Suite '(Selected|All) tests' (passed|failed)|^[^ ]+ +Test run with " "$logs/$1.log"; }

# repeat_failed: runs the failed tests again, and forgets the rows all of whose failed tests pass.
repeat_failed() {
    local name test tests kept=() total=0
    for name in "${failed[@]}"; do
        mapfile -t tests < <(failed_tests "$name")
        total=$((total + ${#tests[@]}))
        has_ended "$name" && [ "${#tests[@]}" -gt 0 ] && [ "$total" -le 6 ] || return 0
    done
    for name in "${failed[@]}"; do
        mapfile -t tests < <(failed_tests "$name")
        for test in "${tests[@]}"; do
            if passes_alone "$name" "$test"; then
                by_chance+=("$test")
            else
                kept+=("$name")
                cat "$logs/$name.repeated"
            fi
        done
    done
    failed=("${kept[@]}")
}

# say_numbers: prints the numbers of tests. A row that failed without a failed test has ended early, and counts as one.
say_numbers() {
    local failures name
    failures=$(($(count failed) - ${#by_chance[@]}))
    for name in "${failed[@]}"; do
        grep -qE "^(Test Case .* failed \(|✘ Test )" "$logs/$name.log" || failures=$((failures + 1))
    done
    [ "${#left_out[@]}" = 0 ] || echo "Rows left out, there was no time: ${left_out[*]}"
    for name in "${by_chance[@]}"; do echo "Failed by chance, passed alone: $name"; done
    echo "$(($(count passed) + ${#by_chance[@]})) passed, $failures failed"
}

# row NAME ARGUMENT...: starts a row once there is room for it.
row() {
    is_wanted "$1" || return 0
    while [ "${#names[@]}" -ge "$most" ]; do finish; done
    if has_time; then start "$@"; else left_out+=("$1"); fi
}

# xctests NAME PATTERN [EXCEPT]: starts a row of tests that use XCTest.
xctests() { row "$1" "$(select_xctests "${@:2}")"; }

# xmpp_tests SERVER NAME PATTERN: starts a row of tests with another XMPP server.
xmpp_tests() {
    export TOUCHTONE_XMPP_SERVER=$1
    xctests "${@:2}"
    unset TOUCHTONE_XMPP_SERVER
}

play() { start sound "$(select_xctests "$sound" "$computed")"; }

trap 'kill "${!names[@]}" 2>/dev/null' EXIT
priority= most=3
SECONDS=0
if is_wanted sound && [ "$(nice -n -10 nice 2>/dev/null)" = -10 ]; then
    priority='nice -n -10' play
    priority= most=4
fi
# The longest rows start first. Together they run all tests: `peers-2` has those that no other row selects.
xctests program-2 'ProgramTests\.ProgramTests' "ProgramTests\.ProgramTests/test[A-K]|$sound"
# The only tests with Swift Testing that wait, for calls. They need little of the processors.
row calls --testing-library swift-testing --filter SIPEngineTests
# One test at a time: the rows fill the processors, and each test's time is its own.
row computed --testing-library swift-testing --no-parallel --skip "SIPEngineTests${TOUCHTONE_SOURCES_TESTED:+|TouchtoneCoreTests}"
xctests program-1 'ProgramTests\.ProgramTests/test[A-K]' "$sound"
xctests windows-1 'TouchtoneUITests\.[A-L]'
xctests peers-1 'TouchtoneXMPPTests\.[A-N]' 'TouchtoneXMPPTests\.EjabberdTests'
xctests windows-2 'TouchtoneUITests|GtkBridgeTests' 'TouchtoneUITests\.[A-L]'
# The suites of what an account does, and not those of scripted servers.
xmpp_tests ejabberd ejabberd 'TouchtoneXMPPTests\.(Prosody|Ejabberd|AccountSession|Resumption|OwnPicture|Profile|MultiUserChat|Protocol|Buddy|Archive|Room\w*|File\w+|Upload|Bookmark|Chat|Direct\w+|Outage|HostileStanza|Gateway|AvatarFetcher|SharedReading)Tests/|ScriptedChatTests/testIdle'
xctests peers-2 . "TouchtoneXMPPTests\.[A-N]|TouchtoneUITests|GtkBridgeTests|ProgramTests\.|$sound"
xctests wayland 'ProgramTests\.' 'ProgramTests\.ProgramTests'
[ -n "${TOUCHTONE_SOURCES_TESTED:-}" ] || xctests decoded "$computed"
while [ "${#names[@]}" -gt 0 ]; do finish; done
if is_wanted sound && [ "$most" = 3 ]; then
    if has_time; then
        play
        finish
    else
        left_out+=("sound")
    fi
fi
trap - EXIT
summarize
[ -z "${TOUCHTONE_REPEAT:-}" ] || repeat_failed
say_numbers
[ "${#failed[@]}" = 0 ]
