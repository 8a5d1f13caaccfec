// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore

/// Tests of the keys of encrypted files in a keyring: gnome-keyring, on the test's own bus.
final class KeyringVaultTests: XCTestCase {
    func testKeyIsKeptUnderItsName() throws {
        let bus = try start()
        let keyring = try Bus.KeyringDaemon(on: bus)
        defer { keyring.end() }
        let key = try XCTUnwrap(StoreKey.random())
        let attributes = ["xdg:schema", Keyring.schemaName, "service", "messages", "account", key.name]
        let vault = KeyringVault()
        XCTAssertNil(try vault.digits(of: key.name))
        XCTAssertThrowsError(try vault.key(key.name)) { XCTAssertEqual($0 as? StoreKeyProblem, .missing) }
        try vault.save(key.digits, name: key.name)
        XCTAssertEqual(try bus.run(["secret-tool", "lookup"] + attributes), key.digits)
        XCTAssertEqual(try vault.key(key.name).digits, key.digits)
        // Another key under this name.
        let other = try XCTUnwrap(StoreKey.random())
        try bus.run(["secret-tool", "store", "--label=Touchtone"] + attributes, input: other.digits)
        XCTAssertThrowsError(try vault.key(key.name)) { XCTAssertEqual($0 as? StoreKeyProblem, .wrong) }
        vault.remove(key.name)
        XCTAssertNil(try vault.digits(of: key.name))
    }

    func testMissingKeyringIsReported() throws {
        let bus = try start()
        bus.withdraw("org.freedesktop.secrets")
        XCTAssertThrowsError(try KeyringVault().save("0", name: "0")) { error in
            guard case .noKeyring? = error as? StoreKeyProblem else { return XCTFail("\(error)") }
        }
        XCTAssertThrowsError(try KeyringVault().key("0")) { error in
            guard case .noKeyring? = error as? StoreKeyProblem else { return XCTFail("\(error)") }
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
