// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// `touchtone call`: asks the running phone, and starts one if there is none.
@MainActor
enum CallCommand {
    /// Fills a number or address in, or dials it; prints the object of the call that was dialled.
    static func run(_ target: String, dials: Bool) async throws(CommandFailure) {
        do throws(GLibError) {
            let phone = try await RunningPhone.findOrStart()
            if dials {
                print(try await phone.ask("Dial", [.string(target)])[0]?.string ?? "")
            } else if try await phone.ask("Enter", [.string(target)])[0]?.bool != true {
                print(localized("The phone is locked. The number waits until it is unlocked."))
            }
        } catch {
            guard let refusal = error.fromBus, let text = text(of: refusal, target) else {
                throw CommandFailure(error.message, status: .failed)
            }
            throw CommandFailure(text, status: .refused)
        }
    }

    /// Returns what an answer of the phone means; nil for one that is not the phone’s.
    private static func text(of refusal: DBusError, _ target: String) -> String? {
        let shown = CommandLineArguments.shown(target)
        switch refusal.name.split(separator: ".").last {
        case "Locked": return localized("The phone is locked. Unlock it, then call.")
        case "LinesInUse": return localized("The phone is in a call. End it, then call.")
        case "InvalidNumber", "TooLong":
            return localized("“{target}” is not a number or address that can be called.", ["target": shown])
        case "NotPossible":
            return localized("The phone did not dial: {reason}", ["reason": refusal.message])
        default: return nil
        }
    }
}
