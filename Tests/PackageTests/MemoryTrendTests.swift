// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Tests of the check of memory in `make soak`: it finds growth, and nothing else.
@Suite struct MemoryTrendTests {
    /// The swing of memory from round to round, MiB: caches that fill and empty, with no period of its own.
    private static let swing = (0..<100).map { 1.5 * sin(Double($0 * $0)) }

    @Test func swingIsNoGrowth() throws {
        for count in [1, 2, 5, 20, 80] {
            #expect(try excess(Self.swing.prefix(count).map { 25 + $0 }) == "", "\(count) rounds")
        }
    }

    @Test func peaksAreNoGrowth() throws {
        let sizes = (0..<60).map { round in 25 + (round % 7 == 3 || round > 56 ? 20.0 : 0) }
        #expect(try excess(sizes) == "")
    }

    @Test func filledCacheIsNoGrowth() throws {
        #expect(try excess((0..<60).map { 25 + min(2, Double($0) * 0.2) }) == "")
    }

    @Test func steadyGrowthIsFound() throws {
        for count in [60, 80, 100] {
            let sizes = (0..<count).map { 25 + Double($0) * 70 / 1024 + Self.swing[$0] }
            #expect(try excess(sizes).contains("in \(count) rounds"), "\(count) rounds")
        }
    }

    @Test func fastGrowthIsFoundInShortRun() throws {
        #expect(try excess((0..<10).map { 25 + Double($0) * 0.5 + Self.swing[$0] / 3 }) != "")
    }

    private func excess(_ sizes: [Double]) throws -> String {
        let program = Repository.root.appendingPathComponent("Tests/Driver/memory_trend.py").path
        return try output(of: ["/usr/bin/python3", "-B", program, "touchtone"] + sizes.map { "\($0)" })
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
