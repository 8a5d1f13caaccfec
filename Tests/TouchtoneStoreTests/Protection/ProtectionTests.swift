// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of the encrypted file with the system's SQLCipher.
@MainActor
@Suite(
    .enabled(if: ProtectionFixture.isAvailable, "needs libsqlcipher1 of Debian 13"), .timeLimit(.minutes(5)))
struct ProtectionTests {
    private let secret = "unmistakable-words"

    /// A file with messages, calls and contacts.
    private func filled(_ home: Home = Home(), vault: (any StoreKeyVault)? = nil) async throws
        -> ProtectionFixture
    {
        let made = ProtectionFixture(home, vault: vault)
        for number in 0..<300 {
            try await made.fixture.apply(.received(received("\(secret) \(number)", name: "\(number)")))
        }
        try await DamagedUse.fill(made.fixture)
        return made
    }

    /// An encrypted file that is closed.
    private func encrypted() async throws -> ProtectionFixture {
        let made = try await filled()
        try await made.set(isOn: true)
        await made.store.close()
        return made
    }

    /// An encrypted file whose key was taken away: its content, and the key with its name.
    private func locked() async throws -> (
        made: ProtectionFixture, content: Data, name: String, digits: String
    ) {
        let made = try await encrypted()
        let name = made.keyNames[0]
        let digits = try #require(try made.vault.digits(of: name))
        made.vault.remove(name)
        return (made, try Data(contentsOf: URL(fileURLWithPath: made.home.messages)), name, digits)
    }

    @Test func encryptedFileHasNoReadableText() async throws {
        let made = try await filled()
        #expect(made.hasInFiles(secret) && made.hasInFiles("message_text"), "nothing to hide")
        #expect(made.start == "SQLite fo")
        try await made.set(isOn: true)
        #expect(made.protection.failure == nil)
        #expect(made.protection.state == .on)
        // What comes now is in the log, and what is deleted leaves the file.
        try await made.fixture.apply(.received(received("\(secret) in the log", name: "later")))
        #expect(made.fixture.files == ["messages.db", "messages.db-shm", "messages.db-wal"])
        #expect(made.start == "Touchtone")
        for text in [secret, "message_text", "SQLite", "grace@example.org"] {
            #expect(!made.hasInFiles(text), "\(text)")
        }
        #expect(made.keyNames.count == 1)
        let key = try #require(try made.vault.digits(of: made.keyNames[0]))
        #expect(key.utf8.count == 64)
        #expect(!made.hasInFiles(key))
        #expect(try made.home.permissions(of: made.home.messages) == 0o600)
        await made.store.close()
    }

    @Test func everythingWorksInEncryptedFile() async throws {
        let made = try await filled()
        let (texts, names, contacts) = (
            try await made.fixture.texts(), try await made.fixture.names(),
            try await made.store.contacts().map(\.card)
        )
        #expect(!names.isEmpty && !contacts.isEmpty)
        for isOn in [true, false, true] {
            try await made.set(isOn: isOn)
            #expect(made.protection.state == (isOn ? .on : .off))
            #expect(try await made.fixture.texts() == texts)
            #expect(try await made.fixture.names() == names)
            #expect(try await made.store.contacts().map(\.card) == contacts)
            #expect(try await made.store.search("unmistakable 299", of: nil, count: 9).count == 1)
            #expect(made.keyNames.count == (isOn ? 1 : 0))
            await made.store.close()
            // It is opened again, by another program.
            let next = ProtectionFixture(made.home)
            #expect(try await next.fixture.texts() == texts)
            #expect(next.start == (isOn ? "Touchtone" : "SQLite fo"))
            await next.store.close()
            if !isOn { #expect(try RawFile(made.home.messages).isSound()) }
        }
    }

    @Test func eachEncryptionHasKeyOfItsOwn() async throws {
        let made = try await filled()
        try await made.set(isOn: true)
        let first = made.keyNames
        try await made.set(isOn: false)
        try await made.set(isOn: true)
        #expect(first.count == 1 && made.keyNames.count == 1 && made.keyNames != first)
        await made.store.close()
    }

    @Test func progressIsReported() async throws {
        let made = try await filled()
        let text = String(repeating: "words ", count: 300)
        try await made.fixture.apply(
            (0..<3_000).map { .received(received("\($0) \(text)", name: "long \($0)")) })
        let seen = Percents()
        let protection = made.protection
        protection.observe(by: seen) { [weak seen] in
            if case .changing(true, let percent) = protection.state { seen?.all.append(percent) }
        }
        try await made.set(isOn: true)
        #expect(seen.all.count > 3, "\(seen.all)")
        #expect(seen.all == seen.all.sorted() && seen.all.allSatisfy { (0...100).contains($0) })
        await made.store.close()
    }

    // MARK: Keys that cannot be used

    @Test func missingKeyIsAskedAboutAndLosesNothing() async throws {
        let (made, before, name, digits) = try await locked()
        let next = ProtectionFixture(made.home)
        let answers = next.answer { number in
            #expect(FileManager.default.contents(atPath: made.home.messages) == before)
            #expect(next.fixture.files == ["messages.db"])
            // Somebody restores it.
            if number == 3 { try? next.vault.save(digits, name: name) }
            return .tryAgain
        }
        #expect(try await next.fixture.texts().count >= 300)
        #expect(answers.problems == [.missing, .missing, .missing])
        await next.fixture.flush()
        #expect(next.protection.state == .on)
        #expect(next.protection.setAside == nil)
        await next.store.close()
    }

    @Test func wrongKeyIsRecognizedBeforeFileIsTouched() async throws {
        let (made, _, name, digits) = try await locked()
        for wrong in [String(repeating: "0", count: 64), "", "no key", String(digits.dropLast())] {
            try made.vault.save(wrong, name: name)
            let before = try Data(contentsOf: URL(fileURLWithPath: made.home.messages))
            let next = ProtectionFixture(made.home)
            let answers = next.answer { _ in
                #expect(FileManager.default.contents(atPath: made.home.messages) == before)
                try? made.vault.save(digits, name: name)
                return .tryAgain
            }
            #expect(try await next.fixture.texts().count >= 300)
            #expect(answers.problems == [.wrong], "\(wrong)")
            await next.store.close()
        }
    }

    @Test func goingOnWithoutKeepsTheFile() async throws {
        let (made, before, name, digits) = try await locked()
        let next = ProtectionFixture(made.home)
        let answers = next.answer { _ in .goOnWithout }
        #expect(try await next.fixture.texts() == [])
        #expect(answers.problems == [.missing])
        await next.fixture.flush()
        #expect(next.protection.state == .off)
        let path = try #require(next.protection.setAside)
        #expect(path.hasPrefix("~/.local/share/touchtone/messages-locked-20"), "\(path)")
        let kept = made.home.folder + path.dropFirst()
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before)
        #expect(try await next.fixture.add(missed("1", "new")).call.remote.displayName == "new")
        await next.store.close()

        // With its key, it can be brought back.
        try made.vault.save(digits, name: name)
        try made.home.remove(made.home.messages)
        try FileManager.default.moveItem(atPath: kept, toPath: made.home.messages)
        let last = ProtectionFixture(made.home)
        #expect(try await last.fixture.texts().count >= 300)
        await last.store.close()
    }

    @Test func lockedKeyringIsAskedAbout() async throws {
        let made = try await encrypted()
        let closed = ClosedVault(.keyringRefused("it is locked"), then: made.vault)
        let next = ProtectionFixture(made.home, vault: closed)
        let answers = next.answer { _ in .tryAgain }
        #expect(try await next.fixture.texts().count >= 300)
        #expect(answers.problems == [.keyringRefused("it is locked")])
        await next.store.close()
    }

    @Test func nothingIsEncryptedUnderKeyThatIsNotKept() async throws {
        let closed = ClosedVault(.noKeyring("no bus"), then: FolderVault("/nonexistent"))
        let made = try await filled(vault: closed)
        try await made.set(isOn: true)
        #expect(made.protection.failure == .key(.noKeyring("no bus")))
        #expect(made.protection.state == .off)
        #expect(made.start == "SQLite fo")
        #expect(try await made.fixture.texts().count >= 300)
        await made.store.close()
    }

    // MARK: Damage

    @Test func fileInPlaceOfDamagedOneIsEncryptedToo() async throws {
        let made = try await encrypted()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: made.home.messages))
        try file.seek(toOffset: 100)
        try file.write(contentsOf: [UInt8](repeating: 7, count: 100))
        try file.close()
        let next = ProtectionFixture(made.home)
        await #expect { _ = try await next.store.summary() } throws: {
            ($0 as? StoreError)?.isDamage == true
        }
        try await next.fixture.apply(.received(received("after \(secret)")))
        #expect(try await next.fixture.texts() == ["after \(secret)"])
        #expect(next.start == "Touchtone")
        await next.store.close()
        #expect(!next.hasInFiles(secret))
        #expect(next.fixture.files.filter { $0.contains("damaged") }.count == 1)
        let last = ProtectionFixture(made.home)
        #expect(try await last.fixture.texts() == ["after \(secret)"])
        await last.store.close()
    }

    @Test func fullDiskLeavesFileAsItIs() async throws {
        let made = try await filled()
        // A folder is in the way of the copy.
        _ = try await made.store.summary()
        try FileManager.default.createDirectory(
            atPath: "\(made.home.folders.data)/messages-copy.db", withIntermediateDirectories: false)
        try await made.set(isOn: true)
        guard case .store = made.protection.failure else {
            Issue.record("\(String(describing: made.protection.failure))")
            return
        }
        #expect(made.protection.state == .off)
        #expect(made.keyNames == [], "a key without a file is left in the keyring")
        #expect(try await made.fixture.texts().count >= 300)
        await made.store.close()
    }
}

@MainActor
private final class Percents {
    var all: [Int] = []
}

/// A vault whose first look-up, and whose every saving, fails.
private final class ClosedVault: StoreKeyVault {
    private let problem: StoreKeyProblem
    private let open: any StoreKeyVault
    private let hasFailed = Mutex(false)

    init(_ problem: StoreKeyProblem, then open: any StoreKeyVault) {
        (self.problem, self.open) = (problem, open)
    }

    func digits(of name: String) throws(StoreKeyProblem) -> String? {
        let isFirst = hasFailed.withLock { failed in
            defer { failed = true }
            return !failed
        }
        if isFirst { throw problem }
        return try open.digits(of: name)
    }

    func save(_ digits: String, name: String) throws(StoreKeyProblem) { throw problem }

    func remove(_ name: String) { open.remove(name) }
}
