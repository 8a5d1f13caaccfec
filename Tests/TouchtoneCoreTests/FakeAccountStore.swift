// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Settings in memory that report each write.
@MainActor
final class FakeAccountStore: AccountStore {
    var onChange: (@MainActor () -> Void)?
    var details = AccountDetails() { didSet { onChange?() } }
    var trustedCertificate = "" { didSet { onChange?() } }
    let isListed = true
    var isEnabled = true { didSet { onChange?() } }
    var label = "" { didSet { onChange?() } }
    private(set) var methods: [String: String] = [:]

    func signInMethod(of address: String) -> String { methods[address] ?? "" }
    func keepSignInMethod(_ method: String, of address: String) {
        methods = method.isEmpty ? [:] : [address: method]
        onChange?()
    }
}
