// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The state that an account's session and its modules share.
///
/// Modules keep it, and it keeps no module: it outlives each task that uses it, also if the account is removed meanwhile.
@MainActor
final class AccountContext {
    enum Stage {
        /// There is no stream to send on.
        case none
        case settingUp
        /// The connection was lost during the set-up.
        case interrupted
        /// Stanzas are sent, or wait for the stream to be resumed.
        case ready
    }

    let client: XMPPClient
    let store: any MessageStore
    let clock: any Scheduler
    let wall: any WallClock
    let pipeline: MessagePipeline
    var roster = RosterState()
    var outbox = SendWindow()
    var presence = OwnPresence()
    /// The recipients of messages: they know that the user is online.
    var addressed: Set<ChatAddress> = []
    /// The SHA-1 in hex of the picture in the user's vCard, for presence (XEP-0153); empty for none, nil if it is unknown.
    var ownPhoto: String?
    var stage = Stage.none
    /// Whether waiting messages will be requested once everything reported is saved.
    var isAsking = false
    /// The number of times that waiting messages have begun to be requested.
    var readyCount = 0
    /// The life of the present stream.
    private(set) var stream = TaskScope()
    private(set) lazy var discovery = ServiceDiscovery(client)
    private var isSending = false

    /// Called with each event; set once, by `Chat`.
    var onEvent: (@MainActor (ChatServiceEvent) -> Void)?
    /// Called with the reason why a stanza was dropped, for the log.
    var onDropped: (@MainActor (String) -> Void)?
    /// A closure that calls back when everything reported is on the disk; nil uses the store's own `flush`.
    var whenKept: (@MainActor (@escaping @MainActor () -> Void) -> Void)?
    /// A closure that returns what is known of the messages in updates before they are reported; set once, by
    /// `SharedReading`.
    var onUpdates: (@MainActor ([MessageUpdate]) -> [MessageUpdate])?
    /// Called when a new message of a buddy's has been reported; set once, by `RealTimeTexts`.
    var onMessage: (@MainActor (ChatAddress) -> Void)?
    /// Called with each page of the account's archive; set once, by `JabberCalls`.
    var onArchive: (@MainActor (Archive.Page) -> Void)?
    /// Called when something in the user's presence has changed.
    var onPresenceChange: (@MainActor () -> Void)?
    var onRoomReady: (@MainActor () -> Void)?

    init(
        client: XMPPClient, store: any MessageStore, clock: any Scheduler, wall: any WallClock,
        pipeline: MessagePipeline
    ) {
        (self.client, self.store, self.clock) = (client, store, clock)
        (self.wall, self.pipeline) = (wall, pipeline)
    }

    /// Whether messages can be sent now.
    var isReady: Bool { stage == .ready && !isAsking && client.state == .online }

    /// Ends what was begun on the last stream.
    func renewStream() {
        stream.end()
        stream = TaskScope()
        discovery = ServiceDiscovery(client)
    }

    // MARK: Reports

    func emit(_ updates: [MessageUpdate]) {
        guard !updates.isEmpty else { return }
        for case .failed(_, let name, _) in updates { outbox.failed(name) }
        onEvent?(.updates(updates + (onUpdates?(updates) ?? [])))
    }

    func emit(_ events: [ChatServiceEvent]) {
        for event in events { onEvent?(event.kept(for: client.account.jid)) }
    }

    /// Calls back when everything reported is on the disk.
    func keep(_ completion: @escaping @MainActor () -> Void) {
        pipeline.whenReported { [store, whenKept] in
            if let whenKept { whenKept(completion) } else { store.flush(completion) }
        }
    }

    /// Waits until everything reported is on the disk.
    func flush() async {
        await withCheckedContinuation { continuation in keep { continuation.resume() } }
    }

    /// Waits for a time.
    func sleep(_ time: Duration) async {
        var timer: (any ScheduledTimer)?
        await withCheckedContinuation { continuation in
            timer = clock.schedule(after: time) { continuation.resume() }
        }
        withExtendedLifetime(timer) {}
    }

    // MARK: Stanzas

    func send(_ stanza: XMLElement) {
        isSending = true
        client.send(stanza)
        isSending = false
    }

    /// Requests all waiting messages again, because what was in their way may be gone.
    ///
    /// Those that are being encrypted come anew, too, after what waited before them.
    func requestWaiting() {
        // Otherwise all are requested once the account is ready.
        guard isReady else { return }
        outbox.requestAgain()
        onEvent?(.ready)
    }

    /// Handles a stanza that may not have arrived.
    func gaveUp(_ stanza: XMLElement) { outbox.gaveUp(stanza, isRefused: isSending) }

    /// Adds the user's availability and capabilities to a presence.
    func describe(_ presence: inout Presence) {
        (presence.show, presence.status) = (self.presence.availability.show, self.presence.status)
        presence.extensions.append(OwnCapabilities.element(of: client.info()))
        presence.extensions.append(VCardTemp.photoUpdate(ownPhoto))
    }

    /// Returns whether somebody may learn that the user is online.
    func mayKnow(_ buddy: ChatAddress) -> Bool {
        presence.availability != .offline
            && (roster.record(of: buddy)?.toldByMe == true || addressed.contains(buddy))
    }

    func isOwnOrBuddy(_ jid: JID) -> Bool {
        jid.bare == client.account.jid.bare || roster.record(of: ChatAddress(jid)) != nil
    }

    /// Refuses the sessions of strangers, occupants of rooms and blocked addresses; returns false for others.
    ///
    /// They get the answer of a device without these features, which does not tell that the user is online.
    func refusesSessions(_ iq: IQ) -> Bool {
        if let peer = iq.from, !peer.isBare, roster.record(of: ChatAddress(peer)) != nil,
            !roster.blocked.contains(ChatAddress(peer))
        {
            return false
        }
        client.refuse(iq, .cancel, "service-unavailable")
        return true
    }
}
