// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneCore
@testable import TouchtoneStore

/// Tests of the recordings of calls: their rows, and their files.
@MainActor
@Suite struct RecordingStoreTests {
    private let fixture = MessageStoreFixture(Home(in: Home.memory))
    private var store: SQLiteStore { fixture.store }
    private var folder: String { "\(fixture.home.folders.data)/recordings" }

    /// Begins a recording with a file of so many seconds.
    private func begin(
        _ name: String, _ kind: Recording.Kind = .message, of call: TextCall, seconds: Int? = 2
    ) async throws {
        if let seconds { try write(OpusFile(seconds: seconds).bytes, name) }
        try await fixture.told { $0.begin(name, kind, of: call, completion: $1) }
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        let file = try UserRecordings(folders: fixture.home.folders, minimumFree: 0).create(name)
        try #require(
            bytes.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) } == bytes.count)
    }

    private func end(_ name: String, _ outcome: RecordingOutcome) async throws {
        try await fixture.told { $0.end(name, outcome, completion: $1) }
    }

    private func exists(_ name: String) -> Bool { fixture.home.exists("\(folder)/\(name)") }

    @Test func recordingBelongsToItsCall() async throws {
        try await begin("a.opus", of: talk(1))
        try await begin("b.opus", .call, of: talk(2))
        try await begin("c.opus", .call, of: talk(2))
        #expect(try await store.recordings().isEmpty)
        try await end("a.opus", .kept(length: .milliseconds(1500), isHeard: false))
        try await end("b.opus", .kept(length: nil, isHeard: true))
        let (second, first) = (
            try await fixture.add(past("2", seconds: 5), textOf: talk(2)),
            try await fixture.add(missed("1", "Ada"), textOf: talk(1))
        )
        #expect(!first.hasText)
        // The third goes on after its call has a row.
        #expect(try await store.recordings().map(\.file) == ["b.opus", "a.opus"])
        try await end("c.opus", .kept(length: nil, isHeard: true))
        let all = try await store.recordings()
        #expect(all.map(\.entry) == [second.id, second.id, first.id])
        #expect(all.map(\.length) == [.seconds(2), .seconds(2), .milliseconds(1500)])
        #expect(all.map(\.isHeard) == [true, true, false] && all.map(\.kind) == [.call, .call, .message])
        #expect(all.last?.call == first.call)
        try await fixture.told { $0.markHeard(all[2].id, completion: $1) }
        #expect(try await store.recordings().allSatisfy(\.isHeard))
    }

    @Test func silentMessageLeavesNothing() async throws {
        try await begin("a.opus", of: talk(1))
        try await end("a.opus", .nothing)
        try await fixture.add(missed("1"), textOf: talk(1))
        #expect(try await store.recordings().isEmpty && !exists("a.opus"))
    }

    @Test func deletedRecordingCanBeRestoredUntilItIsForgotten() async throws {
        try await begin("a.opus", of: talk(1))
        try await end("a.opus", .kept(length: nil, isHeard: false))
        try await fixture.add(missed("1"), textOf: talk(1))
        let id = try #require(try await store.recordings().first?.id)
        try await fixture.told { $0.deleteRecording(id, completion: $1) }
        #expect(try await store.recordings().isEmpty && exists("a.opus"))
        try await fixture.told { $0.restoreRecording(id, completion: $1) }
        #expect(try await store.recordings().count == 1)
        try await fixture.told { $0.forgetRecording(id, completion: $1) }
        #expect(try await store.recordings().count == 1, "it was not deleted")
        try await fixture.told { $0.deleteRecording(id, completion: $1) }
        try await fixture.told { $0.forgetRecording(id, completion: $1) }
        #expect(!exists("a.opus"))
        try await fixture.told { $0.restoreRecording(id, completion: $1) }
        #expect(try await store.recordings().isEmpty)
    }

    @Test(arguments: [false, true]) func recordingGoesWithItsCall(isLast: Bool) async throws {
        if !isLast { try await fixture.add(past("3")) }
        try await begin("a.opus", of: talk(1))
        try await end("a.opus", .kept(length: nil, isHeard: false))
        let entry = try await fixture.add(missed("1"), textOf: talk(1))
        let gone = try await fixture.delete(.entries([entry.id]))
        #expect(try await store.recordings().isEmpty && exists("a.opus"))
        try await fixture.restore(gone)
        #expect(try await store.recordings().count == 1)
        try await fixture.forget(try await fixture.delete(.all))
        #expect(try await store.recordings().isEmpty && !exists("a.opus"))
    }

    /// A recording that was deleted before the program ended is gone after the next start.
    @Test func deletedRecordingIsForgottenAtTheNextStart() async throws {
        try await begin("a.opus", of: talk(1))
        try await end("a.opus", .kept(length: nil, isHeard: false))
        try await fixture.add(missed("1"), textOf: talk(1))
        let id = try #require(try await store.recordings().first?.id)
        try await fixture.told { $0.deleteRecording(id, completion: $1) }
        await store.close()
        #expect(try await store.recordings().isEmpty && !exists("a.opus"))
    }

    /// The program was killed during two recordings, of which one had no sound yet.
    @Test func interruptedRecordingIsFound() async throws {
        try await begin("a.opus", of: talk(1, with: "Ada", "555"), seconds: nil)
        try write(Array(OpusFile(seconds: 9).bytes.dropLast(3)), "a.opus")
        try await begin("b.opus", of: talk(2), seconds: nil)
        await store.close()
        #expect(try await fixture.told { $0.addInterrupted(reason: "ended", completion: $1) } == 2)
        try await fixture.told { $0.endInterrupted(completion: $1) }
        let all = try await store.recordings()
        #expect(
            all.map(\.file) == ["a.opus"] && all.first?.length == .seconds(8) && all.first?.isHeard == false)
        #expect(all.first?.call.remote.displayName == "Ada")
        // It was answered a second after it began.
        #expect(all.first?.call.seconds == 7)
        try await fixture.told { $0.endInterrupted(completion: $1) }
        #expect(try await store.recordings() == all)
    }

    /// The recordings that the user made are no messages that wait to be heard.
    @Test func interruptedRecordingOfTheUserIsNoNews() async throws {
        try await begin("a.opus", .call, of: talk(1), seconds: 9)
        await store.close()
        _ = try await fixture.told { $0.addInterrupted(reason: "ended", completion: $1) }
        try await fixture.told { $0.endInterrupted(completion: $1) }
        #expect(try await store.recordings().map(\.isHeard) == [true])
    }

    @Test func onlyHeardRecordingsMakeRoom() async throws {
        for (number, isHeard) in [true, false, true, false].enumerated() {
            try await begin("\(number).opus", of: talk(number))
            try await end("\(number).opus", .kept(length: nil, isHeard: isHeard))
            try await fixture.add(missed("1"), textOf: talk(number))
        }
        let size = Int64(OpusFile(seconds: 2).bytes.count)
        #expect(try await store.unheardBytes() == 2 * size)
        #expect(try await store.trimRecordings(to: 4 * size) == 4 * size)
        #expect(try await store.trimRecordings(to: 3 * size) == 3 * size)
        #expect(try await store.recordings().map(\.file) == ["3.opus", "2.opus", "1.opus"])
        #expect(try await store.trimRecordings(to: 0) == 2 * size)
        #expect(try await store.recordings().map(\.file) == ["3.opus", "1.opus"])
        #expect(!exists("0.opus") && exists("1.opus"))
        let all = try await store.recordings()
        try await fixture.told { $0.deleteRecording(all[0].id, completion: $1) }
        #expect(try await store.unheardBytes() == size)
        try await fixture.told { $0.restoreRecording(all[0].id, completion: $1) }
        #expect(try await store.unheardBytes() == 2 * size)
        try await fixture.told { $0.markHeard(all[1].id, completion: $1) }
        #expect(try await store.unheardBytes() == size)
    }

    /// Turning off that the text of calls is kept does not lose the recording of one that goes on.
    @Test func forgottenTextLeavesTheRecording() async throws {
        try await begin("a.opus", of: talk(1))
        try await fixture.keep([.init(.own, "x")], of: talk(1))
        try await fixture.forgetText(of: talk(1))
        try await end("a.opus", .kept(length: nil, isHeard: false))
        let entry = try await fixture.add(missed("1"), textOf: talk(1))
        #expect(!entry.hasText)
        #expect(try await store.recordings().map(\.entry) == [entry.id])
    }

    @Test func filesArePrivate() async throws {
        let recordings = UserRecordings(folders: fixture.home.folders, minimumFree: 0)
        _ = try recordings.create("a.opus")
        #expect(try fixture.home.permissions(of: folder) == 0o700)
        #expect(try fixture.home.permissions(of: "\(folder)/a.opus") == 0o600)
        #expect(throws: RecordingFailure.self) { try recordings.create("a.opus") }
        try await recordings.write([1, 2], to: "greeting.opus")
        try await recordings.write([3], to: "greeting.opus")
        #expect(try fixture.home.permissions(of: "\(folder)/greeting.opus") == 0o600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/greeting.opus")) == Data([3]))
    }

    @Test func nearlyFullDiskTakesNone() throws {
        let recordings = UserRecordings(folders: fixture.home.folders, minimumFree: .max)
        #expect(throws: RecordingFailure.diskFull) { try recordings.create("a.opus") }
        #expect(!exists("a.opus"))
    }

    /// A damaged row names a file elsewhere.
    @Test(arguments: ["../messages.db", "/etc/passwd", "", ".", "a\0b"])
    func otherFilesAreNeitherReadNorRemoved(_ name: String) throws {
        let files = RecordingFiles(folders: fixture.home.folders)
        #expect(files.length(of: name) == nil && files.size(of: name) == 0 && files.remove(name))
    }

    // MARK: - Length

    @Test(arguments: [0, 1, 2, 59, 600]) func lengthIsRead(_ seconds: Int) throws {
        let bytes = OpusFile(seconds: seconds).bytes
        let head = Array(bytes.prefix(64))
        #expect(OpusLength.length(head: head, tail: Array(bytes.suffix(2 * 65_307))) == .seconds(seconds))
    }

    /// A file that was cut anywhere has the length of the pages that are whole.
    @Test func lengthOfCutFileIsThatOfItsPages() {
        let file = OpusFile(seconds: 3)
        for count in 0...file.bytes.count {
            let bytes = Array(file.bytes.prefix(count))
            let whole = file.ends.count { $0 <= count }
            let expected: Duration? = count < file.headEnd ? nil : .seconds(whole)
            #expect(OpusLength.length(head: Array(bytes.prefix(64)), tail: bytes) == expected, "\(count)")
        }
    }

    @Test(arguments: Seeds.all) func anyBytesHaveALengthOrNone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var bytes = OpusFile(seconds: 2).bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = .random(in: 0...255, using: &random)
            }
            let length = OpusLength.length(head: Array(bytes.prefix(64)), tail: bytes) ?? .zero
            #expect(length >= .zero && length <= .seconds(86_400))
        }
    }
}

/// A file with the pages of Ogg Opus, one for each second.
private struct OpusFile {
    private(set) var bytes: [UInt8] = []
    /// The ends of the pages with sound.
    private(set) var ends: [Int] = []
    let headEnd: Int

    init(seconds: Int) {
        let skipped = 312
        bytes = Self.page(
            0,
            Array("OpusHead".utf8) + [1, 1, UInt8(skipped & 255), UInt8(skipped >> 8)]
                + .init(repeating: 0, count: 7))
        headEnd = bytes.count
        bytes += Self.page(0, Array("OpusTags".utf8) + .init(repeating: 0, count: 8))
        for second in 0...seconds {
            bytes += Self.page(UInt64(second * 48_000 + skipped), .init(repeating: 79, count: 100))
            if second > 0 { ends.append(bytes.count) }
        }
    }

    private static func page(_ position: UInt64, _ content: [UInt8]) -> [UInt8] {
        Array("OggS".utf8) + [0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
            + .init(repeating: 0, count: 12) + [1, UInt8(content.count)] + content
    }
}
