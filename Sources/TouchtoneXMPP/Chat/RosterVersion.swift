// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What names a state of the list of buddies in the store: the server's version of it, and whose list it is.
///
/// The account may have been changed while the program did not run, and servers count their versions from 1: the other
/// account's would pass for this one's.
struct RosterVersion: Hashable {
    /// Whose list it is.
    let account: JID
    /// The server's version of it; nil if it has none.
    let version: String?

    init(account: JID, version: String?) {
        self.account = account.bare
        self.version = version
    }

    /// Reads what was kept; nil for what is none.
    init?(_ text: String) {
        // No address has a line break.
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let account = parts.first.flatMap({ JID(String($0)) }) else { return nil }
        self.init(account: account, version: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// As it is kept.
    var text: String { account.description + (version.map { "\n" + $0 } ?? "") }
}

extension ChatServiceEvent {
    /// The same, with the version of a list as it is to be kept.
    func kept(for account: JID) -> ChatServiceEvent {
        func text(_ version: String?) -> String { RosterVersion(account: account, version: version).text }
        return switch self {
        case .buddies(let records, let version): .buddies(records, version: text(version))
        case .buddy(let record, let version): .buddy(record, version: text(version))
        case .buddyRemoved(let buddy, let version): .buddyRemoved(buddy, version: text(version))
        default: self
        }
    }
}
