// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore

/// Tests of the passcode in a keyring: gnome-keyring, on the test's own bus.
final class PasscodeKeyringTests: XCTestCase {
    func testHashIsOnlyInKeyring() async throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let home = Home()
        let vault = await PasscodeVault(folders: home.folders)
        let code = try XCTUnwrap(Passcode("1234"))
        let mark = try await vault.set(code, replacing: nil)
        XCTAssertEqual(mark.holder, .keyring)
        XCTAssertEqual(try home.read(home.record), mark.note)
        let found = await vault.load()
        XCTAssertEqual(found, .found(mark, Attempts()))

        // Either of the two files alone proves that there is a passcode; only the state has the attempts.
        let state = try home.read(home.state)
        for text in ["", String(state.prefix(40)), nil] {
            try text.map { try home.write($0, to: home.state) } ?? home.remove(home.state)
            let found = await vault.load()
            XCTAssertEqual(found, .found(mark, nil), text ?? "no file")
        }
        try home.write(state, to: home.state)
        try home.remove(home.record)
        let alone = await vault.load()
        XCTAssertEqual(alone, .found(mark, Attempts()))

        // As an administrator sees it, by the attributes that are a contract.
        let attributes = ["xdg:schema", Keyring.schemaName, "service", "passcode", "account", "lock"]
        let kept = try XCTUnwrap(HashRecord(text: try bus.run(["secret-tool", "lookup"] + attributes)))
        XCTAssertEqual(kept.digits, 4)
        XCTAssertTrue(HashCost(of: kept.hash)?.isBearable == true, kept.hash)
        let right = await vault.verify(code, for: mark)
        XCTAssertEqual(right, .right)
        let wrong = await vault.verify(try XCTUnwrap(Passcode("1235")), for: mark)
        XCTAssertEqual(wrong, .wrong)

        // Garbage, the secret of another program, and an empty secret.
        let other = HashRecord(id: String(repeating: "0", count: 32), digits: 4, hash: kept.hash)?.text ?? ""
        for (text, fault) in [("garbage", PasscodeFault.damaged), ("", .damaged), (other, .another)] {
            try bus.run(["secret-tool", "store", "--label=x"] + attributes, input: text)
            let verdict = await vault.verify(code, for: mark)
            XCTAssertEqual(verdict, .unusable(fault), text)
        }
        try bus.run(["secret-tool", "clear"] + attributes)
        let missing = await vault.verify(code, for: mark)
        XCTAssertEqual(missing, .unusable(.missing))
    }

    func testRemovingLeavesNothing() async throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let home = Home()
        let vault = await PasscodeVault(folders: home.folders, hash: CountingHash())
        let code = try XCTUnwrap(Passcode("1234"))
        let mark = try await vault.set(code, replacing: nil)
        XCTAssertEqual(mark.holder, .keyring)
        try await vault.remove(mark)
        let found = await vault.load()
        XCTAssertEqual(found, PasscodeFinding.none)
        let left = try bus.run(["secret-tool", "lookup", "service", "passcode", "account", "lock"])
        XCTAssertEqual(left, "")
    }

    func testKeyringIsUnchangedIfDiskRefusesWrite() async throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let home = Home()
        try home.write("", to: home.folders.state)  // A file blocks the folder's path.
        let vault = await PasscodeVault(folders: home.folders, hash: CountingHash())
        do {
            _ = try await vault.set(try XCTUnwrap(Passcode("1234")), replacing: nil)
            XCTFail("it was set")
        } catch let error as PasscodeError {
            XCTAssertEqual(error, .notSaved(reason: "Not a directory"))
        }
        let found = await vault.load()
        XCTAssertEqual(found, PasscodeFinding.none)
        let left = try bus.run(["secret-tool", "lookup", "service", "passcode", "account", "lock"])
        XCTAssertEqual(left, "")
    }

    func testLostKeyringGivesNoVerdict() async throws {
        let keyring = try Bus.KeyringDaemon(on: try start())
        let home = Home()
        let vault = await PasscodeVault(folders: home.folders, hash: CountingHash())
        let code = try XCTUnwrap(Passcode("1234"))
        let mark = try await vault.set(code, replacing: nil)
        XCTAssertEqual(mark.holder, .keyring)
        keyring.end()
        let verdict = await vault.verify(code, for: mark)
        guard case .unavailable(.noKeyring) = verdict else { return XCTFail("\(verdict)") }
        // A new passcode is then stored in the file.
        let moved = try await vault.set(code, replacing: mark)
        XCTAssertEqual(moved.holder, .file)
        let found = await vault.load()
        XCTAssertEqual(found, .found(moved, Attempts()))
    }

    func testSlowKeyringIsNotTakenForMissing() async throws {
        let bus = try start()
        try bus.offer("org.freedesktop.secrets", by: "/bin/sleep 1000")
        defer { bus.withdraw("org.freedesktop.secrets") }
        let home = Home()
        let vault = await PasscodeVault(folders: home.folders, hash: CountingHash())
        let code = try XCTUnwrap(Passcode("1234"))
        do {
            let mark = try await vault.set(code, replacing: nil)
            XCTFail("it was set: \(mark)")
        } catch PasscodeError.keyringRefused {
            XCTAssertFalse(home.exists(home.record))
        }
        let mark = try XCTUnwrap(
            PasscodeMark(id: String(repeating: "0a", count: 16), holder: .keyring, digits: 4))
        let verdict = await vault.verify(code, for: mark)
        guard case .unavailable(.keyringRefused) = verdict else { return XCTFail("\(verdict)") }
    }

    func testFailedRemovalKeepsPasscode() async throws {
        let keyring = try Bus.KeyringDaemon(on: try start())
        defer { keyring.end() }
        let home = Home()
        let vault = await PasscodeVault(folders: home.folders, hash: CountingHash())
        let code = try XCTUnwrap(Passcode("1234"))
        let mark = try await vault.set(code, replacing: nil)
        try home.remove(home.state)
        // A folder cannot be unlinked.
        try FileManager.default.createDirectory(atPath: home.state, withIntermediateDirectories: false)
        do {
            try await vault.remove(mark)
            XCTFail("it was removed")
        } catch PasscodeError.notSaved {
            let verdict = await vault.verify(code, for: mark)
            XCTAssertEqual(verdict, .right)
        }
    }

    private func start() throws -> Bus {
        do {
            return try Bus.start()
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }
}
