#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every test, in two rows beside one another: those of the whole program mostly wait for a phone that does what it
# does in real time. Those of the sound that take note of when something happens come last, alone.
set -u
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
log=build/tests-of-the-program.log
sound='TouchtoneAudioTests'
# What is heard in these is computed, and not played.
computed='MeasurementTests|DecodingTests|RandomDigitsTests|TonegenTests'
mkdir -p build

"$swift" build --build-tests || exit 1

# The lock is for building, and nothing is built from here on.
run() { "$swift" test --skip-build --ignore-lock "$@"; }

run --filter "ProgramTests|$computed" > "$log" 2>&1 &
program=$!
trap 'kill "$program" 2>/dev/null' EXIT
failed=0
run --skip "ProgramTests|$sound" || failed=1
wait "$program" || failed=1
trap - EXIT
cat "$log"
run --filter "$sound" --skip "$computed" || failed=1
exit "$failed"
