// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The calls that were and the people who are known, for the panel and the phone.
public struct DirectoryDependencies {
    let history: CallHistory
    let contacts: ContactBook
    let vCards: any VCardCoding

    /// - Parameters:
    ///   - history: the calls that were.
    ///   - contacts: who is known, and the memory keys.
    ///   - vCards: how contacts are exchanged with other programs.
    public init(history: CallHistory, contacts: ContactBook, vCards: any VCardCoding) {
        (self.history, self.contacts, self.vCards) = (history, contacts, vCards)
    }
}
