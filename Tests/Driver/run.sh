#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh NAME: runs a scenario with the debug build; run.sh --list prints the names.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec /usr/bin/python3 Tests/Driver/scenarios.py --program .build/debug/touchtone "$@"
