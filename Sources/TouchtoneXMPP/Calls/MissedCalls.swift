// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The calls of a time in which this device was not there, as the archive tells them, each reported once.
@MainActor
final class MissedCalls {
    /// The greatest numbers of proposals that are followed, and of identifiers that are kept.
    static let maximumProposals = 200, maximumKept = 300
    /// The age from which a proposal that nobody took is a missed call, and from which it is of no interest.
    static let waitingTime = Duration.seconds(60), longestAge = Duration.seconds(7 * 86_400)

    private struct Proposal {
        let party: JID
        let stamp: Timestamp
    }

    private unowned let calls: JabberCalls
    private var proposals: [String: Proposal] = [:]
    /// The calls that a device of the user has taken or declined.
    private var taken: Set<String> = []
    /// The identifiers of calls that are reported, the last one at the end; nil before they are read.
    private var kept: [String]?
    private var timer: (any ScheduledTimer)?

    init(of calls: JabberCalls) { self.calls = calls }

    func forget() {
        timer?.cancel()
        (proposals, taken, kept, timer) = ([:], [], nil, nil)
    }

    private var storage: EntryStorage? { calls.dependencies?.storage }

    private func known() -> [String] {
        if let kept { return kept }
        let read = calls.ownAddress.flatMap { storage?.read($0.description) } ?? []
        let bounded = Array(read.suffix(Self.maximumKept))
        kept = bounded
        return bounded
    }

    func isKnown(_ sid: String) -> Bool { known().contains(sid) }

    /// Notes a call that the phone knows, so that the archive does not tell it again.
    func note(_ sid: String) {
        var all = known()
        guard !all.contains(sid) else { return }
        all.append(sid)
        all.removeFirst(max(0, all.count - Self.maximumKept))
        kept = all
        proposals[sid] = nil
        if let own = calls.ownAddress { storage?.write(own.description, all) }
    }

    func read(_ page: Archive.Page) {
        for item in page.items { read(item.message, item.stamp) }
    }

    /// Reads a message that says something of a call.
    func read(_ message: Message, _ stamp: Timestamp) {
        guard message.kind == .chat || message.kind == .normal, let own = calls.ownAddress,
            let told = message.extensions.lazy.compactMap({ CallMessage($0) }).first,
            let from = message.from
        else { return }
        guard from.bare != own else {
            switch told.content {
            case .accept, .proceed, .reject:
                if taken.count < 10 * Self.maximumProposals { taken.insert(told.id) }
            case .propose, .ringing, .retract, .finish: break
            }
            return reportSoon()
        }
        guard case .propose(let media) = told.content, !media.isEmpty, !from.isBare,
            message.extension(MultiUserChat.user) == nil,
            !calls.rooms.addresses.contains(from.bare), calls.age(of: stamp) < Self.longestAge,
            proposals.count < Self.maximumProposals, !isKnown(told.id)
        else { return }
        proposals[told.id] = Proposal(party: from.bare, stamp: stamp)
        reportSoon()
    }

    /// Reports what is missed once the archive has been read, and the time to take the calls is over.
    func reportSoon() {
        guard timer == nil, !proposals.isEmpty else { return }
        let oldest = proposals.values.map { calls.age(of: $0.stamp) }.max() ?? .zero
        let time = max(.seconds(1), Self.waitingTime - oldest + .seconds(1))
        timer = calls.account.clock.schedule(after: time) { [weak self] in
            self?.timer = nil
            self?.report()
        }
    }

    private func report() {
        // Words of the user's other devices may still have to be read.
        guard calls.account.isReady else { return }
        for (sid, proposal) in proposals.sorted(by: { $0.value.stamp < $1.value.stamp }) {
            if taken.contains(sid) || calls.calls[sid] != nil || isKnown(sid) {
                proposals[sid] = nil
                continue
            }
            let age = calls.age(of: proposal.stamp)
            guard age >= Self.waitingTime else { continue }
            note(sid)
            let blocked = calls.account.roster.blocked.contains(ChatAddress(proposal.party))
            if !blocked { calls.line?.onEvent?(.missed(calls.remote(proposal.party), age: age, .farEnd)) }
        }
        reportSoon()
    }
}
