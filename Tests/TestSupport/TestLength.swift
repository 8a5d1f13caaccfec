// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// The number of random cases that a test tries.
///
/// Each run takes other cases, so a few of them in each of many runs find as much as many in one.
/// `TOUCHTONE_LONG=1 make test` tries them all.
public enum TestLength {
    public static let isLong = ProcessInfo.processInfo.environment["TOUCHTONE_LONG"] == "1"

    /// Whether a run on another system has tested what depends on the sources alone.
    ///
    /// That is their format, and the parsers under libFuzzer. `.ci/run` sets `TOUCHTONE_SOURCES_TESTED` for the second system.
    public static let areSourcesTested =
        ProcessInfo.processInfo.environment["TOUCHTONE_SOURCES_TESTED"] == "1"

    /// Returns one of two numbers of cases.
    public static func cases(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
