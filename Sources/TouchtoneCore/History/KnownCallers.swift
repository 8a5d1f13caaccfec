// SPDX-License-Identifier: GPL-3.0-or-later

/// The callers that the user knows: contacts, buddies, and parties of earlier calls.
@MainActor
public final class KnownCallers {
    /// The greatest time for which a call waits for contacts that are being read.
    static let readingLimit = Duration.seconds(3)

    /// Whether a Jabber address is that of a buddy.
    public var isBuddy: (@MainActor (ChatAddress) -> Bool)?

    private let contacts: ContactBook
    private let history: CallHistory
    private let clock: any Scheduler
    /// Whether the desktop's address books had time to be read; they do not report when they have been.
    private var hasWaited = false

    public init(contacts: ContactBook, history: CallHistory, clock: any Scheduler) {
        (self.contacts, self.history, self.clock) = (contacts, history, clock)
    }

    /// Returns whether the user knows a caller, which takes up to 3 seconds while contacts are being read.
    public func knows(_ caller: RemoteParty) async -> Bool {
        guard !caller.number.isEmpty || !caller.address.isEmpty else { return false }
        if let person = caller.jabberAddress, isBuddy?(person) == true { return true }
        contacts.readDesktop()
        if isContact(caller) { return true }
        if await history.knows(caller) || isContact(caller) { return true }
        return hasWaited && contacts.isLoaded ? false : await appears(caller)
    }

    private func isContact(_ caller: RemoteParty) -> Bool { contacts.contact(for: caller) != nil }

    /// Returns whether a caller becomes a contact in time.
    private func appears(_ caller: RemoteParty) async -> Bool {
        await withCheckedContinuation { continuation in
            let search = Search(continuation)
            // The timer keeps the search alive, and the search its observation of the contacts.
            search.timer = clock.schedule(after: Self.readingLimit) { [weak self] in
                self?.hasWaited = true
                search.end(self?.isContact(caller) ?? true)
            }
            contacts.observe(by: search) { [weak self, weak search] change in
                if change == .rows, self?.isContact(caller) == true { search?.end(true) }
            }
        }
    }

    /// A search for one caller, which ends once.
    @MainActor
    private final class Search {
        var timer: (any ScheduledTimer)?
        private var continuation: CheckedContinuation<Bool, Never>?

        init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }

        func end(_ isKnown: Bool) {
            timer?.cancel()
            timer = nil
            continuation?.resume(returning: isKnown)
            continuation = nil
        }
    }
}
