// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The call history and the contacts, for the panel and the phone.
public struct DirectoryDependencies {
    public let history: CallHistory
    public let contacts: ContactBook
    let vCards: any VCardCoding
    /// The answering machine and the recordings; nil where nothing is recorded.
    public let machine: AnsweringMachine?

    public init(
        history: CallHistory, contacts: ContactBook, vCards: any VCardCoding, machine: AnsweringMachine? = nil
    ) {
        (self.history, self.contacts, self.vCards, self.machine) = (history, contacts, vCards, machine)
    }

    @MainActor
    func begin() {
        contacts.start()
        history.start()
        machine?.recordings.start()
    }
}
