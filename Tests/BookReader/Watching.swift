// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore
import Glibc
import TouchtoneBooks

/// Prints a line and flushes it, because the test waits for it.
private func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Prints the events of the desktop's address books, a line for each contact.
@MainActor
final class Watching {
    private var books: EDSAddressBooks?

    init(_ books: EDSAddressBooks) { self.books = books }

    func start() {
        books?.onLookedFor = { say($0 ? "service" : "no service") }
        books?.onChange = { [weak self] change in self?.tell(change) }
        books?.start()
    }

    func stop() { books = nil }

    private func tell(_ change: AddressBooksChange) {
        switch change {
        case .present(let contacts):
            for contact in contacts {
                let methods = contact.card.methods.map {
                    "\($0.kind.rawValue)/\($0.label.rawValue)/\($0.text)"
                }
                say("present \(contact.card.name)|\(methods.joined(separator: ","))|\(contact.card.hasPhoto)")
                if contact.card.hasPhoto { tellPhoto(of: contact) }
            }
        case .gone(let ids): for _ in ids { say("gone") }
        case .bookGone(let book): say("book gone \(book)")
        }
    }

    private func tellPhoto(of contact: Contact) {
        Task {
            let photo = await books?.photo(of: contact.id)
            say("photo of \(contact.card.name): \(photo?.count ?? 0)")
        }
    }
}
