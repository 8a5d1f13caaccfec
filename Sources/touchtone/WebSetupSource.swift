// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore
import TouchtoneFiles
import TouchtoneStore

/// The accounts that web addresses offer.
@MainActor
final class WebSetupSource: AccountSetupSource {
    /// The longest time for a document.
    private static let longest = Duration.seconds(30)

    private let transfers: WebTransfers
    private let clock: any Scheduler

    init(_ transfers: WebTransfers, clock: any Scheduler) {
        (self.transfers, self.clock) = (transfers, clock)
    }

    func host(of address: String) -> String? { transfers.host(of: address) }

    func setup(at address: String) async throws(AccountSetupError) -> AccountSetup {
        let (bytes, host): ([UInt8], String)
        do throws(FileTransferError) {
            (bytes, host) = try await transfers.document(
                at: address, limit: AccountSetup.maximumBytes, time: Self.longest, clock: clock)
        } catch {
            throw .transfer(error)
        }
        guard let document = JSONDocument.read(bytes) else { throw .notASetup }
        var setup = try AccountSetup(document)
        setup.host = host
        return setup
    }
}
