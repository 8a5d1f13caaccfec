// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The call history and the contacts, for the panel and the phone.
public struct DirectoryDependencies {
    public let history: CallHistory
    /// The contacts and the memory keys.
    public let contacts: ContactBook
    let vCards: any VCardCoding

    public init(history: CallHistory, contacts: ContactBook, vCards: any VCardCoding) {
        (self.history, self.contacts, self.vCards) = (history, contacts, vCards)
    }

    /// Reads the contacts and the memory keys, and counts the missed calls.
    @MainActor
    func begin() {
        contacts.start()
        history.start()
    }
}
