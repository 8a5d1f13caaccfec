// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The identity of a stored roster: the server's version of it, and its account.
///
/// The account may have changed while the program was not running, and servers count versions from 1, so a different
/// account's version could match.
struct RosterVersion: Hashable {
    /// The bare address of the roster's account.
    let account: JID
    /// The server's version; nil if it has none.
    let version: String?

    init(account: JID, version: String?) {
        self.account = account.bare
        self.version = version
    }

    init?(_ text: String) {
        // An address never contains a line break.
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let account = parts.first.flatMap({ JID(String($0)) }) else { return nil }
        self.init(account: account, version: parts.count == 2 ? String(parts[1]) : nil)
    }

    var text: String { account.description + (version.map { "\n" + $0 } ?? "") }
}

extension ChatServiceEvent {
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
