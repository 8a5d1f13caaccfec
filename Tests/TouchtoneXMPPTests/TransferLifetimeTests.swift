// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests that a transfer which is still in use outlives the account that the user removes.
@Suite @MainActor struct TransferLifetimeTests {
    private let clock = ManualScheduler()

    @Test func transferEndsAfterItsAccountIsRemoved() async throws {
        var transfers: DirectTransfers?
        let (transfer, file) = (try offered(by: &transfers), MemoryIncomingFile())
        weak let account = transfers
        transfers = nil
        #expect(account == nil, "the account is gone")
        do throws(FileTransferError) {
            _ = try await transfer.receive(into: file) { _ in }
            Issue.record("nothing can arrive")
        } catch {
            #expect(error == .incomplete)
        }
        #expect(clock.pending == 0, "nothing waits for the sender")
        #expect(!file.isFinished)
    }

    @Test func waitingTransferEndsInTimeAfterItsAccountIsRemoved() throws {
        var transfers: DirectTransfers?
        let transfer = try offered(by: &transfers)
        transfers = nil
        let data = try Self.request(Wire.bytes("hello", 0))
        transfer.handleStream(try #require(data.payload), in: data)
        transfer.terminate(for: .cancel)
        #expect(clock.pending == 0)
    }

    /// Creates the transfers of an account without a connection, and offers them a file.
    private func offered(by transfers: inout DirectTransfers?) throws -> IncomingTransfer {
        let account = XMPPAccount(jid: try #require(JID("grace@localhost")), password: "")
        let client = XMPPClient(account: account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
        let jingle = JingleSessions(client) { _ in false }
        var offers: [String] = []
        let new = DirectTransfers(jingle, clock: clock) {
            if case .offered(let id, _, _) = $0 { offers.append(id) }
        }
        jingle.handle(try Self.request(Wire.offer()))
        transfers = new
        return try #require(offers.first.flatMap(new.incoming))
    }

    private static func request(_ payload: String) throws -> IQ {
        let text = "<iq type='set' id='1' from='alan@localhost/desk'>\(payload)</iq>"
        return try #require(IQ(try XMLElementTests.read(text)))
    }
}
