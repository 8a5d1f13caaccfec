#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later Runs all tests in three parallel rows of similar length: tests that mostly
# wait, for the running app or for frames, beside tests that compute. Tests that play and record sound run last, alone.
# `make slow-tests` reads the logs.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
logs=build/test-logs
sound='TouchtoneAudioTests'
# These tests compute their sound, except for two that play it.
computed='MeasurementTests/(?!testRecorded)|DecodingTests|RandomDigitsTests|TonegenTests'
program='ProgramTests\.ProgramTests|FuzzTests'
windows='TouchtoneUITests|GtkBridgeTests|WaylandTests'
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
    "$swift" test --skip-build --scratch-path "$scratch" "$@" 2>&1
}

tests program --filter "$program" >"$logs/program.log" &
rows=$!
tests windows --filter "$windows|$computed" >"$logs/windows.log" &
rows="$rows $!"
trap 'kill $rows 2>/dev/null' EXIT
failed=0
tests rest --skip "$program|$sound|$windows" | tee "$logs/rest.log" || failed=1
for each in $rows; do wait "$each" || failed=1; done
trap - EXIT
cat "$logs/windows.log" "$logs/program.log"
tests sound --filter "$sound" --skip "$computed" | tee "$logs/sound.log" || failed=1
exit "$failed"
