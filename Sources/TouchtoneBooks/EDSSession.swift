// SPDX-License-Identifier: GPL-3.0-or-later

internal import Synchronization
internal import TouchtoneCore

/// A session that observes the desktop's address books on its own thread: libebook makes blocking calls on
/// the bus, and parsing 10,000 contacts takes a while.
final class EDSSession: Sendable {
    typealias Photo = CheckedContinuation<[UInt8]?, Never>

    /// The address books object of CBooks.h.
    fileprivate struct Desktop: @unchecked Sendable {  // They may be stopped and asked from any thread.
        let pointer: OpaquePointer
    }

    fileprivate struct State {
        var desktop: Desktop?
        var isStopped = false
        var requests: [UInt: Photo] = [:]
        var lastRequest: UInt = 0
        /// The changes since the last round.
        var present: [Contact] = []
        var gone: [Contact.ID] = []
        /// The changes that wait for the main thread.
        var changes: [AddressBooksChange] = []
    }

    private let functions: BooksLibrary.Functions
    private let state = Mutex(State())
    private let onChanges: @Sendable () -> Void

    private static let maximumAtOnce = 250

    /// `onChanges` is called on the session's thread when `changes()` starts to have something to return.
    init(_ functions: BooksLibrary.Functions, onChanges: @escaping @Sendable () -> Void) {
        (self.functions, self.onChanges) = (functions, onChanges)
    }

    /// Observes the address books until `stop()` is called; call it on the session's thread.
    func run() {
        let this = Unmanaged.passUnretained(self)
        let made = functions.newDesktop(
            { kind, book, uid, vCard, request, context in
                guard let context else { return }
                let session = Unmanaged<EDSSession>.fromOpaque(context).takeUnretainedValue()
                session.event(kind, book: text(book), uid: text(uid), vCard: text(vCard), request: request)
            }, this.toOpaque())
        guard let desktop = made.map(Desktop.init) else { return }
        let isStopped = state.withLock { state in
            state.desktop = desktop
            return state.isStopped
        }
        if !isStopped { functions.runDesktop(desktop.pointer) }
        let left = state.withLock { state in
            state.desktop = nil
            state.isStopped = true
            defer { state.requests = [:] }
            return Array(state.requests.values)
        }
        functions.freeDesktop(desktop.pointer)
        for request in left { request.resume(returning: nil) }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let desktop = state.desktop { functions.stopDesktop(desktop.pointer) }
        }
    }

    /// Returns the changes since the last call, in the order in which they happened.
    func changes() -> [AddressBooksChange] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }

    func photo(book: String, uid: String, answer: Photo) {
        let isAsked = state.withLock { state in
            guard let desktop = state.desktop, !state.isStopped else { return false }
            state.lastRequest += 1
            state.requests[state.lastRequest] = answer
            functions.fetch(desktop.pointer, book, uid, state.lastRequest)
            return true
        }
        if !isAsked { answer.resume(returning: nil) }
    }

    private func event(_ kind: Int32, book: String?, uid: String?, vCard: String?, request: UInt) {
        switch (kind, book, uid) {
        case (Kind.present, let book?, let uid?):
            take(.desktop(book: book, uid: uid), contact: vCard.flatMap { card(in: $0) })
        case (Kind.gone, let book?, let uid?): take(.desktop(book: book, uid: uid), contact: nil)
        case (Kind.bookGone, let book?, _): notify { $0.changes.append(.bookGone(book)) }
        case (Kind.round, _, _): notify { _ in }
        case (Kind.fetched, _, _):
            let photo = vCard.flatMap(EDSPhoto.photo)
            state.withLock { $0.requests.removeValue(forKey: request) }?.resume(returning: photo)
        default: break
        }
    }

    private func card(in vCard: String) -> ContactCard? {
        let draft = VCardContactBuilder(vCard: vCard, wantsPhoto: false)
        return draft.isList ? nil : draft.contact()?.card
    }

    private func take(_ id: Contact.ID, contact: ContactCard?) {
        let isMuch = state.withLock { state in
            if let contact {
                if !state.gone.isEmpty { state.flush() }
                state.present.append(Contact(id: id, card: contact))
            } else {
                if !state.present.isEmpty { state.flush() }
                state.gone.append(id)
            }
            return state.present.count >= Self.maximumAtOnce
        }
        if isMuch { notify { _ in } }
    }

    private func notify(_ body: (inout State) -> Void) {
        let isNew = state.withLock { state in
            let wasEmpty = state.changes.isEmpty
            state.flush()
            body(&state)
            return wasEmpty && !state.changes.isEmpty
        }
        if isNew { onChanges() }
    }

    /// The kinds of events in CBooks.h.
    private enum Kind {
        static let (present, gone, bookGone, round, fetched): (Int32, Int32, Int32, Int32, Int32) = (
            0, 1, 2, 3, 4
        )
    }
}

extension EDSSession.State {
    fileprivate mutating func flush() {
        if !present.isEmpty { changes.append(.present(present)) }
        if !gone.isEmpty { changes.append(.gone(gone)) }
        (present, gone) = ([], [])
    }
}

private func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
