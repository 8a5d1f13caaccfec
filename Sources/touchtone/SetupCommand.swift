// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// `touchtone account setup`: shows a web address that offers accounts in the phone, where the user decides on them.
@MainActor
enum SetupCommand {
    static func run(_ address: String) async throws(CommandFailure) {
        guard WebAddress(address) != nil else {
            throw CommandFailure(
                localized("This is not a web address that begins with https://."), status: .refused)
        }
        do throws(GLibError) {
            let phone = try await RunningPhone.findOrStart()
            _ = try await phone.ask("SetUp", [.string(address)])
            print(localized("The phone shows the address. Go on there: nothing is fetched or saved before."))
        } catch {
            guard error.fromBus?.name.hasSuffix(".Locked") == true else {
                throw CommandFailure(error.message, status: .failed)
            }
            throw CommandFailure(
                localized("The phone is locked. Unlock it, then set accounts up."), status: .refused)
        }
    }
}
