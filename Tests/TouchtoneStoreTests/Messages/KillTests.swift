// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// The program is killed at any moment, 200 times in a row on one file.
@MainActor
@Suite struct KillTests {
    private let home = Home()

    @Test func whatWasSaidToBeKeptOutlivesBeingKilled() async throws {
        var random = SplitMix64(seed: .random(in: 0...UInt64.max))
        var last: Int64 = 0
        var acknowledged: Set<Int64> = []
        for round in 1...200 {
            // As a server does that has not heard what was kept, it begins with some that are there already.
            let numbers = try run(from: max(1, last - 6), using: &random)
            acknowledged.formUnion(numbers)
            last = max(last, numbers.max() ?? 0)
            // Killed before there was anything.
            guard last > 0 else { continue }
            let file = try RawFile(home.messages)
            #expect(try file.isSound(), "round \(round)")
            #expect(try file.value("SELECT count(*) - count(DISTINCT name) FROM message") == "0")
            try await check(numbers, "round \(round)")
            // The last round may have been killed while it repeated what was kept before, and with it the mark.
            if let mark = numbers.last(where: { $0 % 4 == 3 }) {
                #expect(try await archiveMark() >= mark, "round \(round)")
            }
        }
        #expect(last > 200, "hardly anything was kept: it was killed too early to show anything")
        try await check(acknowledged, "at the end")
    }

    /// Has the program keep facts from a number on, kills it, and gives what it said was kept.
    private func run(from first: Int64, using random: inout SplitMix64) throws -> [Int64] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("storewriter")
        process.arguments = ["keep", "\(first)"]
        process.environment = ["XDG_DATA_HOME": "\(home.folder)/.local/share"]
        process.standardOutput = output
        try process.run()
        let reading = output.fileHandleForReading
        var said = Data()
        if Bool.random(using: &random) {
            // In the middle of what comes after so many bytes of answers.
            let count = Int.random(in: 1...200, using: &random)
            while said.count < count, let more = try reading.read(upToCount: 1), !more.isEmpty {
                said += more
            }
        }
        usleep(UInt32.random(in: 0...40_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
        said += reading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        let lines = String(decoding: said, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().compactMap { Int64($0) }
    }

    private func check(_ numbers: some Sequence<Int64>, _ when: Comment) async throws {
        let desk = MessageDesk(home)
        var kept: [String: ChatMessage] = [:]
        for buddy in 0..<3 {
            for message in try await desk.all(ChatAddress("buddy\(buddy)")) {
                if let name = message.name { kept[name] = message }
            }
        }
        for number in numbers {
            if number % 4 == 0 {
                if number > 4 { #expect(kept["name-\(number - 2)"]?.state == .sent, when) }
                continue
            }
            #expect(kept["name-\(number)"]?.text == "\(number)", when)
        }
        let mark = try await archiveMark()
        if mark > 0 { #expect(kept["name-\(mark)"] != nil, "the mark is before its messages") }
        await desk.store.close()
    }

    private func archiveMark() async throws -> Int64 {
        let desk = MessageDesk(home)
        let mark = try await desk.store.archiveMark()?.split(separator: "-").last.flatMap { Int64($0) }
        await desk.store.close()
        return mark ?? 0
    }
}
