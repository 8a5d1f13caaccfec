// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of a disk that is full, that is read-only, or that other programs use.
@MainActor
@Suite(.serialized) struct DiskTests {
    private nonisolated static let needsMount: ConditionTrait = .enabled(
        if: SmallDisk.isPossible, "this process may not mount a file system")

    @Test(needsMount) func fullDiskKeepsMessagesAndResumesOnceThereIsRoom() async throws {
        let disk = try SmallDisk(kilobytes: 2048)
        let fixture = MessageStoreFixture(Home(in: disk.folder))
        try await fixture.apply(.received(received("0", name: "0")))
        try disk.fill(leaving: 150_000)
        let text = String(repeating: "full ", count: 400)
        var (kept, error) = (1, StoreError?.none)
        while error == nil, kept < 2000 {
            do throws(StoreError) {
                try await fixture.apply(
                    .received(received(text, name: "\(kept)")), composed("mine", name: "w\(kept)"))
                kept += 1
            } catch let thrown {
                error = thrown
            }
        }
        #expect(error == .full)
        #expect(kept > 1 && kept < 2000)
        // All of many simultaneous operations are refused, and each is notified.
        var refused = 0
        for _ in 0..<50 {
            fixture.store.apply([.received(received(String(repeating: text, count: 50)))]) { result in
                if result == .failure(.full) { refused += 1 }
            }
        }
        await fixture.flush()
        #expect(refused == 50)
        #expect(
            try await fixture.all().filter { $0.sender != .me }.compactMap(\.name)
                == (0..<kept).map(String.init)
        )
        #expect(
            try await fixture.all().filter { $0.sender == .me }.count == kept - 1,
            "half of what failed is there"
        )
        await fixture.store.close()
        #expect(try await fixture.all().count == kept * 2 - 1)
        disk.empty()
        try await fixture.apply(.received(received(text, name: "after")))
        #expect(try await fixture.all().last?.name == "after")
        #expect(try await fixture.store.search("full", of: nil, count: 9999).count == kept)
        await fixture.store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test(needsMount) func fullDiskKeepsCallsAndContacts() async throws {
        let disk = try SmallDisk(kilobytes: 2048)
        let fixture = MessageStoreFixture(Home(in: disk.folder))
        let first = try await fixture.add(missed("1", "0"))
        try disk.fill(leaving: 250_000)
        let name = String(repeating: "full ", count: 100)
        var (calls, contacts, error) = (1, 0, StoreError?.none)
        while error == nil, calls < 2000 {
            do throws(StoreError) {
                try await fixture.add(missed("\(calls)", name))
                calls += 1
                let new = NewContact(
                    ContactCard(name: name, methods: [ContactMethod(.number, "1")]),
                    photo: [UInt8](repeating: 7, count: 2000))
                _ = try await fixture.store.add([new, new])
                contacts += 2
            } catch let thrown {
                error = thrown
            }
        }
        #expect(error == .full)
        #expect(calls > 1 && calls < 2000)
        await #expect(throws: StoreError.full) {
            _ = try await fixture.store.add([
                NewContact(ContactCard(name: "large"), photo: [UInt8](repeating: 7, count: 1_000_000))
            ])
        }
        #expect(try await fixture.calls().count == calls)
        let kept = try await fixture.store.contacts()
        #expect(kept.count == contacts && kept.allSatisfy { $0.card.methods.count == 1 && $0.card.hasPhoto })
        await fixture.store.close()
        // These were deleted while there was room; the purge can wait without room.
        disk.empty()
        try await fixture.delete(.entries([first.id]))
        try disk.fill()
        await fixture.store.close()
        #expect(try await fixture.calls().count == calls - 1)
        #expect(try await fixture.names(HistoryQuery(text: "full")).count == calls - 1)
        disk.empty()
        try await fixture.forget(try await fixture.delete(.all))
        #expect(try await fixture.calls() == [])
        await fixture.store.close()
        #expect(try RawFile(fixture.home.messages).isSound())
    }

    @Test(needsMount, arguments: [0, 8192, 40_000, 80_000, 120_000])
    func diskFullFromStartIsTolerated(_ room: Int) async throws {
        let disk = try SmallDisk(kilobytes: 1024)
        let fixture = MessageStoreFixture(Home(in: disk.folder))
        try disk.fill(leaving: room)
        for _ in 0..<2 {
            await #expect(throws: StoreError.full) { try await fixture.apply(.received(received("1"))) }
            await #expect(throws: StoreError.full) { _ = try await fixture.store.summary() }
            await #expect(throws: StoreError.full) { try await fixture.add(past("1")) }
            await #expect(throws: StoreError.full) { _ = try await fixture.store.contacts() }
        }
        disk.empty()
        #expect(try await fixture.store.summary() == ChatSummary())
        try await fixture.apply(.received(received("2")))
        #expect(try await fixture.texts() == ["2"])
        #expect(fixture.files.filter { $0.contains("damaged") } == [])
    }

    @Test(needsMount) func unwritableDiskIsReported() async throws {
        let disk = try SmallDisk(kilobytes: 1024)
        let fixture = MessageStoreFixture(Home(in: disk.folder))
        try disk.setReadOnly(true)
        let error = StoreError.failed("Read-only file system")
        await #expect(throws: error) { try await fixture.apply(.received(received("1"))) }
        try disk.setReadOnly(false)
        try await fixture.apply(.received(received("2")))
        await fixture.store.close()
        try disk.setReadOnly(true)
        await #expect(throws: error) { try await fixture.apply(.received(received("3"))) }
        await #expect(throws: error) { try await fixture.add(past("3")) }
        await #expect(throws: error) { try await fixture.store.setMemoryKey(1, MemoryKey(DialledNumber())) }
        try disk.setReadOnly(false)
        try await fixture.apply(.received(received("4")))
        #expect(try await fixture.texts() == ["2", "4"])
    }

    @Test func fileOfOtherUserIsNotTouched() async throws {
        let fixture = MessageStoreFixture()
        let (home, path) = (fixture.home, fixture.home.messages)
        let target = "\(home.folder)/target"
        try home.write("", to: target)
        try home.write("", to: path)
        let error = StoreError.failed("Operation not permitted")
        func isRefused() async { await #expect(throws: error) { _ = try await fixture.store.summary() } }

        for mode: mode_t in [0o620, 0o602, 0o666] {
            home.setPermissions(mode, of: path)
            await isRefused()
        }
        try home.remove(path)
        symlink(target, path)
        await isRefused()
        #expect(try home.read(target) == "")
        try home.remove(path)
        mkfifo(path, 0o600)
        await isRefused()
        try home.remove(path)
        mkdir(path, 0o700)
        await isRefused()
        rmdir(path)
        if geteuid() == 0 {
            try home.write("", to: path)
            chown(path, 65_534, 65_534)
            await isRefused()
            try home.remove(path)
        }
        #expect(try await fixture.store.summary() == ChatSummary())
    }

    @Test func fileReadableByOthersIsMadePrivate() async throws {
        let fixture = MessageStoreFixture()
        try await fixture.apply(.received(received("private")))
        await fixture.store.close()
        fixture.home.setPermissions(0o644, of: fixture.home.messages)
        fixture.home.setPermissions(0o755, of: fixture.home.folders.data)
        #expect(try await fixture.texts() == ["private"])
        #expect(try fixture.home.permissions(of: fixture.home.messages) == 0o600)
        #expect(try fixture.home.permissions(of: fixture.home.folders.data) == 0o700)
    }

    @Test func lockedFileIsAwaitedOffMainThread() async throws {
        let fixture = MessageStoreFixture(busyTimeout: 60_000)
        try await fixture.apply(.received(received("1")))
        let other = try RawFile(fixture.home.messages)
        try other.run("BEGIN IMMEDIATE")
        var told: [Result<MessageChanges, StoreError>] = []
        fixture.store.apply([.received(received("2"))]) { told.append($0) }
        fixture.store.saveDraft("draft", for: MessageStoreFixture.grace)
        // This line is reached only because this thread does not wait for the store's thread.
        #expect(told.isEmpty)
        try other.run("COMMIT")
        await fixture.flush()
        #expect(told.count == 1)
        #expect(try await fixture.texts() == ["1", "2"])
    }

    @Test func lockTimeoutIsReported() async throws {
        let fixture = MessageStoreFixture(busyTimeout: 20)
        try await fixture.apply(.received(received("1")))
        let other = try RawFile(fixture.home.messages)
        try other.run("BEGIN IMMEDIATE")
        await #expect(throws: StoreError.failed("database is locked")) {
            try await fixture.apply(.received(received("2")))
        }
        #expect(try await fixture.texts() == ["1"], "reading goes on")
        try other.run("COMMIT")
        try await fixture.apply(.received(received("3")))
        #expect(try await fixture.texts() == ["1", "3"])
        #expect(fixture.files.filter { $0.contains("damaged") } == [])
    }

    @Test func twoProgramsOnOneFileLoseNothing() async throws {
        let (one, two) = (MessageStoreFixture(), MessageStoreFixture())
        let other = MessageStoreFixture(one.home)
        for number in 0..<50 {
            try await one.apply(.received(received("one \(number)")))
            try await other.apply(.received(received("other \(number)", from: MessageStoreFixture.ada)))
        }
        #expect(try await other.all().count == 50)
        #expect(try await one.all(MessageStoreFixture.ada).count == 50)
        #expect(try await two.all() == [])
    }

    @Test func removedFileIsCreatedAgain() async throws {
        let fixture = MessageStoreFixture()
        try await fixture.apply(.received(received("1")))
        for file in fixture.files { try fixture.home.remove("\(fixture.home.folders.data)/\(file)") }
        try await fixture.apply(.received(received("2")))
        await fixture.store.close()
        #expect(try await fixture.texts() == ["2"])
        #expect(try RawFile(fixture.home.messages).isSound())
    }
}
