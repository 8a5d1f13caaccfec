// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Glibc
import TouchtoneCore
import TouchtoneStore

/// Uses the store in the user's data folder, as a program beside the tests that can be killed and measured.
@main
struct Storewriter {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.dropFirst().first.flatMap { Int64($0) }) {
        case ("keep", let first?): Task { @MainActor in Keeping(next: first).start() }
        case ("measure", nil):
            Task { @MainActor in
                await Measuring().run()
                await MeasuringDirectory().run()
                exit(0)
            }
        case ("measure-encrypted", nil):
            let keys = arguments.last ?? ""
            Task { @MainActor in
                await Measuring(keys: keys).run()
                exit(0)
            }
        case ("encrypt", nil), ("decrypt", nil):
            let (isOn, keys) = (arguments.first == "encrypt", arguments.last ?? "")
            Task { @MainActor in
                await Protecting.run(isOn: isOn, keys: keys)
                exit(0)
            }
        case ("passwords", let count?):
            Task { @MainActor in
                print(await PasswordLookups.found(Int(count)))
                exit(0)
            }
        default:
            print(
                "Usage: storewriter keep FIRST | measure | passwords COUNT | (measure-encrypted|encrypt|decrypt) KEYS"
            )
            exit(2)
        }
        dispatchMain()
    }
}
