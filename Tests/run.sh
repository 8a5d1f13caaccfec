#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every test, in three rows of about the same length beside one another: what mostly waits, for a phone that works in
# real time or for frames, beside what computes. Tests of sound that is played, and recorded again, come last, alone.
# `make slow-tests` reads the logs.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
logs=build/test-logs
sound='TouchtoneAudioTests'
# What is heard in these is computed; but two of them are played.
computed='MeasurementTests/(?!testRecorded)|DecodingTests|RandomDigitsTests|TonegenTests'
program='ProgramTests\.ProgramTests|FuzzTests'
windows='TouchtoneUITests|GtkBridgeTests|WaylandTests'
rm -rf "$logs"
mkdir -p "$logs"

"$swift" build --build-tests || exit 1

# row NAME ARGUMENT...: the lock is for building, and nothing is built from here on.
row() {
    local name=$1
    shift
    "$swift" test --skip-build --ignore-lock "$@" >"$logs/$name.log" 2>&1
}

row program --filter "$program" &
rows=$!
row windows --filter "$windows|$computed" &
rows="$rows $!"
trap 'kill $rows 2>/dev/null' EXIT
failed=0
"$swift" test --skip-build --ignore-lock --skip "$program|$sound|$windows" 2>&1 | tee "$logs/rest.log" || failed=1
for each in $rows; do wait "$each" || failed=1; done
trap - EXIT
cat "$logs/windows.log" "$logs/program.log"
"$swift" test --skip-build --ignore-lock --filter "$sound" --skip "$computed" 2>&1 | tee "$logs/sound.log" || failed=1
exit "$failed"
