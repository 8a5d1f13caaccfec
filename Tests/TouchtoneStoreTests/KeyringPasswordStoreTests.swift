// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore

/// Tests of passwords in a keyring: gnome-keyring, on the test's own bus.
final class KeyringPasswordStoreTests: XCTestCase {
    private let attributes = [
        "xdg:schema", "io.github.touchtone.Touchtone.Password", "service", "xmpp", "account",
        "ada@example.org",
    ]

    func testAdministratorPasswordIsFoundAndOursIsVisibleToOthers() async throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let vault = await KeyringPasswordStore(service: "xmpp")
        let none = try await vault.password(of: "ada@example.org")
        XCTAssertNil(none)
        try bus.run(["secret-tool", "store", "--label=Touchtone"] + attributes, input: "sécret 🔑")
        let given = try await vault.password(of: "ada@example.org")
        XCTAssertEqual(given, "sécret 🔑")
        let other = try await vault.password(of: "bob@example.org")
        XCTAssertNil(other)

        try await vault.keep("another", of: "ada@example.org")
        XCTAssertEqual(try bus.run(["secret-tool", "lookup"] + attributes), "another")
        let sip = try await KeyringPasswordStore(service: "sip").password(of: "ada@example.org")
        XCTAssertNil(sip)
        try await vault.forget("ada@example.org")
        XCTAssertEqual(try bus.run(["secret-tool", "lookup"] + attributes), "")
        try await vault.forget("ada@example.org")
    }

    func testFirstLookupsAtOneMomentAllFindTheirPasswords() throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let count = 8
        for service in 0..<count {
            try bus.run(
                [
                    "secret-tool", "store", "--label=Touchtone", "xdg:schema", Keyring.schemaName, "service",
                    "\(service)", "account", "ada@example.org",
                ], input: "secret \(service)")
        }
        try Peer.require("cc", package: "gcc")
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("storewriter")
        // The moment in which libsecret fails is short, so a library ends the program if two look-ups ever meet.
        let library = "\(try TemporaryFolders.make("touchtone-keyring"))/one_at_a_time.so"
        _ = try output(of: [
            "cc", "-shared", "-fPIC", "-o", library, "\(Checkout.folder)/Tests/Tools/one_at_a_time.c",
        ])
        let said = try bus.run(["LD_PRELOAD=\(library)", program.path, "passwords", "\(count)"])
        XCTAssertEqual(
            said.trimmingCharacters(in: .newlines),
            (0..<count).map { "secret \($0)" }.joined(separator: ","))
    }

    func testPasswordIsEncryptedOnBus() async throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        try Peer.require("dbus-monitor", package: "dbus-bin")
        let monitor = try bus.monitor()
        let vault = await KeyringPasswordStore(service: "xmpp")
        try await vault.keep("not-on-the-bus", of: "ada@example.org")
        let back = try await vault.password(of: "ada@example.org")
        XCTAssertEqual(back, "not-on-the-bus")
        let heard = monitor.end()
        XCTAssert(heard.contains("ada@example.org"), "the monitor hears nothing")
        XCTAssertFalse(heard.contains("not-on-the-bus"))
        try await vault.forget("ada@example.org")
    }

    func testMissingKeyringIsReported() async throws {
        let bus = try start()
        bus.withdraw("org.freedesktop.secrets")
        let vault = await KeyringPasswordStore(service: "xmpp")
        await expect(.absent) { _ = try await vault.password(of: "a@example.org") }
        await expect(.absent) { try await vault.keep("x", of: "a@example.org") }
        await expect(.absent) { try await vault.forget("a@example.org") }
    }

    func testStalledKeyringCountsAsPresent() async throws {
        let bus = try start()
        try bus.offer("org.freedesktop.secrets", by: "/bin/sleep 60")
        defer { bus.withdraw("org.freedesktop.secrets") }
        let vault = await KeyringPasswordStore(service: "xmpp")
        do {
            _ = try await vault.password(of: "a@example.org")
            XCTFail("there is a password")
        } catch {
            guard case .refused(let reason) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertFalse(reason.isEmpty)
        }
    }

    private func start() throws -> Bus {
        do {
            return try Bus.start()
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }

    private func expect(
        _ wanted: PasswordStoreError, _ body: () async throws -> Void, line: UInt = #line
    ) async {
        do {
            try await body()
            XCTFail("it was done", line: line)
        } catch {
            XCTAssertEqual(error as? PasswordStoreError, wanted, line: line)
        }
    }
}
