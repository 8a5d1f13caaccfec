// SPDX-License-Identifier: GPL-3.0-or-later

extension LineState {
    /// Returns the label of an account's line: the user's name, or the kind of the account, and the state unless calls
    /// can be made.
    public func label(_ user: String, or kind: String) -> String {
        let name = DisplayName.text(user)
        let shown = name.isEmpty ? kind : name
        return switch self {
        case .available: shown
        case .connecting: localizedIn("segment display", "{line} CONNECTING", ["line": shown])
        case .unavailable: localizedIn("segment display", "{line} OFFLINE", ["line": shown])
        }
    }
}
