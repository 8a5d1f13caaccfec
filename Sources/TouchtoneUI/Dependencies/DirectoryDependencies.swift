// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The call history and the contacts, for the panel and the phone.
public struct DirectoryDependencies {
    public let history: CallHistory
    public let contacts: ContactBook
    let vCards: any VCardCoding

    public init(history: CallHistory, contacts: ContactBook, vCards: any VCardCoding) {
        (self.history, self.contacts, self.vCards) = (history, contacts, vCards)
    }

    @MainActor
    func begin() {
        contacts.start()
        history.start()
    }
}
