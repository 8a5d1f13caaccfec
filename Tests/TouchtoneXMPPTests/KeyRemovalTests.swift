// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore
@testable import TouchtoneXMPP

/// Tests that the keys of a removed account are removed, here and on an independent server.
final class KeyRemovalTests: XMPPTestCase {
    func testRemovedAccountLeavesNoKeysHereAndOnServer() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            let mobile = try EncryptedDesk("grace", account: grace.account)
            grace.send("one", to: alan.address)
            waitUntil("it has come") { alan.has(["one"], of: grace.address) }
            alan.renewKeys()
            alan.send("two", to: grace.address)
            waitUntil("it has come") { grace.has(["two"], of: alan.address) }
            let own = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow) }
            let other = try awaited { try await mobile.program.store.ownKeys(at: mobile.wallNow).device }
            // Its own list may have come late.
            waitUntil("it knows the other device") {
                let devices = try? awaited { try await grace.program.store.devices(of: grace.address) }
                return devices?.contains { $0.address.device == other } == true
            }
            try XCTAssertEqual(alan.list(of: grace).sorted(), [own.device, other].sorted())
            grace.remove()
            waitUntil("the device is off the list") { (try? alan.list(of: grace)) == [other] }
            waitUntil("its keys are gone from the server") {
                let items = try? awaited {
                    try await alan.program.client.published(
                        OMEMO.bundle(of: own.device), by: grace.account.jid.bare)
                }
                return items?.isEmpty ?? true
            }
            try grace.checkNothingIsLeft(of: own)
            // What was said stays, and the conversation is encrypted when the account comes back.
            grace.restart()
            XCTAssertEqual(grace.texts(with: alan.address), ["one", "two"])
            XCTAssertTrue(grace.chat.isEncrypted(alan.address))
            let new = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow).device }
            XCTAssertNotEqual(new, own.device)
            grace.send("three", to: alan.address)
            waitUntil("it has come") { alan.has(["one", "three"], of: grace.address) }
            XCTAssertEqual(grace.sent.filter { $0.contains("three") }, [])
        }
    }

    func testAccountThatIsRemovedOfflineLeavesNoKeysHere() throws {
        try onMainActor {
            let grace = try EncryptedDesk("grace")
            let own = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow) }
            grace.program.session.signOut()
            waitUntil("she is offline") { grace.program.session.isSettled }
            grace.remove()
            try grace.checkNothingIsLeft(of: own)
        }
    }

    func testKeysOfAnotherAccountStay() throws {
        try onMainActor {
            let phone = try EncryptedPhone(["grace", "hopper"], hasFiles: false)
            let (first, second) = (try XCTUnwrap(phone.program(of: 0)), try XCTUnwrap(phone.program(of: 1)))
            let time = first.session.context.wall.now
            let before = try awaited { try await second.store.ownKeys(at: time) }
            first.session.forgetKeys(of: phone.address(of: 0).text)
            first.session.use("")
            XCTAssertEqual(try awaited { try await second.store.ownKeys(at: time) }, before)
            phone.end()
        }
    }
}

private struct CountStatement: SQLStatement {
    let sql: String
}

extension EncryptedDesk {
    /// Removes the account from the program, as `ChatAccount` does.
    fileprivate func remove() {
        program.session.forgetKeys(of: account.jid.bare.description)
        program.session.use("")
    }

    /// Returns the list of an account’s devices on the server.
    fileprivate func list(of desk: EncryptedDesk) throws -> [UInt32] {
        let (client, jid) = (program.client, desk.account.jid.bare)
        let items = try awaited { try await client.published(OMEMO.devices, by: jid) }
        return OMEMO.devices(in: items) ?? []
    }

    /// Checks that no row and no byte of the store tells a key.
    fileprivate func checkNothingIsLeft(of own: OwnKeys) throws {
        let store = program.store
        let rows = try awaited {
            try await store.ask(.messages) { database throws(StoreError) in
                try ["identity", "prekey", "device", "session", "opened"].map { table throws(StoreError) in
                    try database.integers(CountStatement(sql: "SELECT count(*) FROM key_\(table)")).first
                        ?? -1
                }
            }
        }
        XCTAssertEqual(rows, [0, 0, 0, 0, 0])
        try awaited { await store.close() }
        let folder = "\(folder)/.local/share/touchtone"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            for key in [own.bundle.identityKey, own.bundle.signedPreKey]
                + own.bundle.preKeys.prefix(3).map(\.key)
            {
                XCTAssertNil(bytes.range(of: Data(key.dropFirst())), "\(name) has a key")
            }
        }
    }
}
