// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// An engine without a process: the test sees its commands, and says what it would say.
@MainActor
final class FakeSoundEngine: SoundEngine {
    var isAvailable = true
    private(set) var isReady = false
    private(set) var isNeeded = false
    private(set) var commands: [SIPCommand] = []
    private var observers: [@MainActor (CallEngine.Change) -> Void] = []
    private(set) lazy var calls = EngineCalls { [weak self] command, _ in self?.received(command) }
    /// Whether it prepares the sound by itself as soon as it is asked.
    var answers = true

    func setNeeded(_ isNeeded: Bool, by user: AnyObject) {
        self.isNeeded = isNeeded
        isReady = isNeeded
        if isNeeded { notify(.ready) }
    }

    func observe(by owner: AnyObject, _ body: @escaping @MainActor (CallEngine.Change) -> Void) {
        observers.append(body)
    }

    func notify(_ change: CallEngine.Change) { for observer in observers { observer(change) } }

    func worked() {}

    /// Ends as a process that is killed.
    func die() {
        isReady = false
        calls.endAll(.failed("died"))
        notify(.ended)
    }

    private func received(_ command: SIPCommand) {
        commands.append(command)
        guard case .call(let id, let command) = command else { return }
        switch command {
        case .prepareOffer where answers: describe(id, .either)
        case .prepareAnswer(let offer, _) where answers:
            describe(id, .client, isEncrypted: offer.isEncrypted)
            say(id, .connected)
        case .connect where answers: say(id, .connected)
        case .hangUp: say(id, .ended(SIPEnd(.phone)))
        default: break
        }
    }

    private func say(_ id: SIPCallID, _ event: SIPCallEvent) {
        Task { calls.handle(event, of: id) }
    }

    private func describe(_ id: SIPCallID, _ role: MediaDescription.Role, isEncrypted: Bool = true) {
        if let media = try? MediaDescription.example(role: role, isEncrypted: isEncrypted) {
            say(id, .described(media))
        }
    }

    /// The commands for calls, without their calls.
    var callCommands: [SIPCallCommand] {
        commands.compactMap { if case .call(_, let command) = $0 { command } else { nil } }
    }
}

/// A line without a call manager.
@MainActor
final class CallPhone {
    let fixture: XMPPAccountFixture
    let engine: FakeSoundEngine
    private(set) var incoming: [JabberCall] = []
    /// Whether it declines calls at once, as a phone whose lines are all in use.
    var isBusy = false
    /// The reaction to a call that has come in.
    var onIncoming: (@MainActor (JabberCall) -> Void)?
    private(set) var events: [ObjectIdentifier: [CallEvent]] = [:]
    private(set) var missed: [(remote: RemoteParty, age: Duration, reason: CallEndReason)] = []
    private(set) var declined: [RemoteParty] = []

    init(
        _ name: String, account: XMPPAccount? = nil, change: (inout CallDependencies) -> Void = { _ in },
        file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let engine = FakeSoundEngine()
        var dependencies = CallDependencies(fake: engine, line: "jabber-\(name)")
        change(&dependencies)
        self.engine = engine
        let own = try account ?? TouchtoneXMPPTests.account(name)
        let fixture = XMPPAccountFixture(own, calls: dependencies)
        self.fixture = fixture
        waitUntil("\(name) is ready", file: file, line: line) { fixture.readyCount == 1 }
        fixture.chat.line?.onEvent = { [weak self] in self?.handle($0) }
    }

    private func handle(_ event: LineEvent) {
        switch event {
        case .incoming(let call):
            guard let call = call as? JabberCall else { return }
            incoming.append(call)
            follow(call)
            if isBusy { decline(call) }
            onIncoming?(call)
        case .missed(let remote, let age, let reason): missed.append((remote, age, reason))
        case .declined(let remote): declined.append(remote)
        case .stateChanged, .appeared: break
        }
    }

    func decline(_ call: JabberCall) {
        call.declineAsBusy { [weak self] in self?.missed.append((call.remote, .zero, .busy)) }
    }

    private func follow(_ call: JabberCall) {
        let id = ObjectIdentifier(call)
        call.onEvent = { [weak self] in self?.events[id, default: []].append($0) }
    }

    func dial(_ jid: JID) throws -> JabberCall { try dial(RemoteParty(ChatAddress(jid))) }

    func dial(_ remote: RemoteParty) throws -> JabberCall {
        let line = try XCTUnwrap(fixture.chat.line)
        let call = try XCTUnwrap(line.dial(remote) as? JabberCall)
        follow(call)
        return call
    }

    func events(_ call: JabberCall?) -> [CallEvent] { call.flatMap { events[ObjectIdentifier($0)] } ?? [] }

    func end(_ call: JabberCall?) -> CallEndReason? {
        events(call).lazy.compactMap { if case .ended(let reason) = $0 { reason } else { nil } }.first
    }

    var jid: JID { fixture.jid }
}
