#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs all tests in rows, three at a time: tests that mostly wait, for the running app or for frames, beside tests that
# compute. Tests that play and record sound run beside them if real-time priority is available, otherwise last and alone.
# `make slow-tests` reads the logs.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
logs=build/test-logs
sound='TouchtoneAudioTests'
# These tests compute their sound, except for two that play it.
computed='MeasurementTests/(?!testRecorded)|DecodingTests|RandomDigitsTests|TonegenTests'
rm -rf "$logs"
mkdir -p "$logs"

"$swift" build --build-tests || exit 1
products=$("$swift" build --show-bin-path) || exit 1
platform=$(basename "$(dirname "$products")")

# tests NAME ARGUMENT...: runs tests that are already built, in a scratch folder for this row. SwiftPM locks the
# folder's database when it starts, and fails if another process has locked it.
tests() {
    local name=$1 scratch=.build/rows/$1
    shift
    mkdir -p "$scratch"
    ln -sfn "../../$platform" "$scratch/$platform"
    $priority "$swift" test --skip-build --scratch-path "$scratch" "$@" >"$logs/$name.log" 2>&1
}

declare -A names=()
failed=0

# start NAME ARGUMENT...: starts a row.
start() {
    tests "$@" &
    names[$!]=$1
}

# finish: waits for a row to end, and prints its output.
finish() {
    local row status=0
    wait -n -p row || status=$?
    cat "$logs/${names[$row]}.log"
    echo "Row ${names[$row]} has ended with status $status after $SECONDS s."
    [ "$status" = 0 ] || failed=1
    unset "names[$row]"
}

# row NAME ARGUMENT...: starts a row once fewer than three others run.
row() {
    while [ "${#names[@]}" -ge "$most" ]; do finish; done
    start "$@"
}

# xctests NAME ARGUMENT...: starts a row without the tests that use Swift Testing.
xctests() { row "$@" --disable-swift-testing; }

play() { start sound --disable-swift-testing --filter "$sound" --skip "$computed"; }

trap 'kill "${!names[@]}" 2>/dev/null' EXIT
priority= most=3
SECONDS=0
if [ "$(nice -n -10 nice 2>/dev/null)" = -10 ]; then
    priority='nice -n -10' play
    priority= most=4
fi
# Rows start in order of their length. Together they run all tests: `peers` has those that no other row selects.
row computed --disable-xctest --skip SIPEngineTests
xctests windows-2 --filter 'TouchtoneUITests|GtkBridgeTests' --skip 'TouchtoneUITests\.[A-L]'
xctests program-1 --filter 'ProgramTests\.ProgramTests/test[A-K]'
xctests peers --skip "TouchtoneUITests|GtkBridgeTests|ProgramTests\.|$sound"
xctests program-2 --filter 'ProgramTests\.ProgramTests' --skip 'ProgramTests\.ProgramTests/test[A-K]'
xctests windows-1 --filter 'TouchtoneUITests\.[A-L]'
# The only tests with Swift Testing that wait, for calls.
row calls --disable-xctest --filter SIPEngineTests
xctests wayland --filter 'ProgramTests\.' --skip 'ProgramTests\.ProgramTests'
xctests decoded --filter "$computed"
while [ "${#names[@]}" -gt 0 ]; do finish; done
if [ "$most" = 3 ]; then
    play
    finish
fi
trap - EXIT
exit "$failed"
