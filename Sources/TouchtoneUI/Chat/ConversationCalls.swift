// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The calls with the other side of the open conversation, as the call history has them.
@MainActor
final class ConversationCalls {
    /// Called when `entries` have changed.
    var onChange: (@MainActor () -> Void)?
    /// The call history; nil if there is none.
    var history: CallHistory? {
        didSet { history?.observe(by: self) { [weak self] in if $0 == .calls { self?.read() } } }
    }

    /// The calls in the order of their beginning, as far back as the messages go.
    private(set) var entries: [HistoryEntry] = []
    private var conversation: ConversationID?
    private var remote: RemoteParty?
    /// The beginning of the time of which calls were requested; nil is that of all times.
    private var since: ChatTime?
    /// The number of requests: only the answer to the last one counts.
    private var requests = 0

    /// Reads the calls with somebody, if they are not read yet.
    ///
    /// - Parameter time: The time of the first message that is shown; nil if there is none before it.
    func open(_ conversation: ConversationID, with remote: RemoteParty?, since time: ChatTime?) {
        if conversation == self.conversation, remote == self.remote {
            guard let since, time.map({ $0 < since }) ?? true else { return }
        } else {
            entries = []
        }
        (self.conversation, self.remote, since) = (conversation, remote, time)
        read()
    }

    private func read() {
        requests += 1
        guard let remote, let history else { return }
        let (request, since) = (requests, since)
        Task { [weak self] in
            let found = await history.calls(with: remote, since: since)
            guard let self, request == requests, found != entries else { return }
            entries = found
            onChange?()
        }
    }
}
