// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

/// A navigator that records where it was asked to lead.
@MainActor
final class RecordingNavigator: Navigator {
    /// The requests, in order, except for files.
    private(set) var notes: [String] = []
    private(set) var links: [TextLink] = []
    private(set) var openedFiles: [String] = []
    private(set) var fileRequests: [FileDialog.Request] = []
    /// The answer to requests for a file; nil cancels them.
    var file: FileDialog.Answer?

    func enter(_ callee: Callee) { notes.append("enter \(text(callee))") }
    func callKept(_ target: CallTarget) { notes.append("call kept \(target.kept)") }
    func call(_ callee: Callee) { notes.append("call \(text(callee))") }
    func call(_ callee: Callee, of contact: Contact.ID?, at place: Widget) { call(callee) }
    func showConversation(with buddy: ChatAddress) { notes.append("message \(buddy.text)") }
    func showConversation(with number: DialledNumber) { notes.append("message \(number.text)") }
    func showContact(_ id: Contact.ID) { notes.append("show contact") }
    func addContact(_ card: ContactCard) { notes.append("add \(card.methods.map(\.text))") }
    func openFile(_ path: String) { openedFiles.append(path) }
    func say(_ sentence: String) { notes.append("say \(sentence)") }
    func openAccount() { notes.append("account") }

    func open(_ link: TextLink) {
        links.append(link)
        notes.append("open \(link)")
    }

    func askFile(_ request: FileDialog.Request) async -> FileDialog.Answer? {
        fileRequests.append(request)
        return file
    }

    private func text(_ callee: Callee) -> String {
        switch callee {
        case .number(let number): number.text
        case .address(let address): address.text
        }
    }
}
