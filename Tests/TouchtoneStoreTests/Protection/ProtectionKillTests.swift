// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests that kill the program while it encrypts or decrypts the file, in turn, on one file.
@MainActor
@Suite(
    .enabled(if: ProtectionFixture.isAvailable, "needs libsqlcipher1 of Debian 13"), .timeLimit(.minutes(5)))
struct ProtectionKillTests {
    private let home = Home()

    @Test func everyMessageSurvivesKillDuringChange() async throws {
        var random = SplitMix64(seed: .random(in: 0...UInt64.max))
        let first = ProtectionFixture(home)
        // With long texts, the copy takes longer than the start of the program.
        let texts = (0..<600).map { "\($0) " + String(repeating: "words ", count: 1_000) }
        try await first.fixture.apply(
            texts.enumerated().map { .received(received($1, name: "\($0)")) })
        await first.store.close()

        var isOn = false
        var (finished, interrupted) = ([true: 0, false: 0], [true: 0, false: 0])
        var spans: [useconds_t] = []
        let least = TestLength.cases(60, long: 300)
        for round in 1...1_000 {
            // How often a kill hits the change depends on the load of the machine.
            if round > least, (Array(finished.values) + interrupted.values).allSatisfy({ $0 > 2 }) { break }
            let wanted = !isOn
            let keysBefore = Set(ProtectionFixture(home).keyNames)
            // The first two rounds are not killed, and tell how long a change takes.
            let limit = round <= 2 ? nil : useconds_t.random(in: 0...(spans.max() ?? 0), using: &random)
            let run = try await Self.run(in: home.folder, isOn: wanted, killedAfter: limit)
            if round <= 2 {
                #expect(run.lines == ["began", "done"], "round \(round)")
                spans.append(run.microseconds)
            }
            let hasCopy = ProtectionFixture(home).fixture.files.contains("messages-copy.db")
            let next = ProtectionFixture(home)
            let answers = next.answer { _ in .goOnWithout }
            #expect(try await next.fixture.texts() == texts, "round \(round)")
            #expect(answers.problems == [], "round \(round)")
            await next.fixture.flush()
            let isChanged = next.protection.state == (wanted ? .on : .off)
            await next.store.close()
            #expect(next.fixture.files == ["messages.db"], "round \(round)")
            #expect(isChanged || !run.lines.contains("done"), "round \(round)")
            // A key stays at least as long as a file needs it.
            if isOn, !isChanged { #expect(keysBefore.isSubset(of: next.keyNames), "round \(round)") }
            if isChanged { finished[wanted, default: 0] += 1 }
            if hasCopy { interrupted[wanted, default: 0] += 1 }
            isOn = wanted == isChanged
        }
        for isOn in [true, false] {
            #expect(finished[isOn, default: 0] > 2, "hardly ever finished: \(finished)")
            #expect(interrupted[isOn, default: 0] > 2, "hardly ever interrupted: \(interrupted)")
        }
    }

    /// Runs the program, and kills it some time after it has opened the file, or lets it end.
    @concurrent private nonisolated static func run(
        in folder: String, isOn: Bool, killedAfter limit: useconds_t?
    ) async throws -> (lines: [String], microseconds: useconds_t) {
        let (process, reading) = try startWriter(
            [isOn ? "encrypt" : "decrypt", "\(folder)/keys"], in: folder)
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")), let more = try reading.read(upToCount: 1), !more.isEmpty {
            said += more
        }
        let began = ContinuousClock.now
        if let limit {
            usleep(limit)
            kill(process.processIdentifier, SIGKILL)
        }
        said += reading.readDataToEndOfFile()
        process.waitUntilExit()
        let span = (ContinuousClock.now - began) / .microseconds(1)
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, useconds_t(span))
    }
}
