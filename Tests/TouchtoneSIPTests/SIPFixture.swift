// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import GLibBridge
import Glibc
import HelperMessages
import SIPMessages
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneEngine
@testable import TouchtoneHelpers
@testable import TouchtoneSIP

/// The tests that share the settings of the process, one after another.
@Suite(.serialized) @MainActor struct SIPAccountsTests {}

/// Accounts in settings in memory, with an engine, a keyring and a clock that the test controls.
@MainActor
final class SIPFixture {
    let launcher = FakeLauncher()
    let clock = ManualScheduler()
    let keyring = FakePasswordStore()
    let network = FakeNetwork()
    let practice = FakeLine()
    let lines: LineRegistry
    let settings: Settings
    let accounts: SIPAccounts
    let calls: CallManager
    private(set) var records: [CallRecord] = []

    /// - Parameter asksEngine: Whether the engine has to answer in time; the test then answers its questions.
    init(asksEngine: Bool = false) throws {
        setenv("GSETTINGS_BACKEND", "memory", 1)
        settings = try Settings(schema: "io.github.touchtone.Touchtone", folders: ["\(Checkout.folder)/data"])
        for key in ["sip-accounts", "sip-strangers", "sip-direct-calls", "dial-line", "real-time-text"] {
            settings.reset(key)
        }
        for id in ["ada", "bob", "ada-example-org", "ada-example-org-2"] {
            SIPAccountSettings(settings: try Self.open(id)).reset()
        }
        lines = LineRegistry(fallback: practice)
        var dependencies = CallEngine.Dependencies(
            settings: settings, clock: clock, launcher: launcher, userAgent: "Test/1")
        dependencies.asksEngine = asksEngine
        dependencies.makeNetwork = { [network] in network }
        let own = SIPAccounts.Dependencies(
            settings: settings, open: { id throws(GLibError) in try SIPFixture.open(id) }, lines: lines,
            passwords: keyring, clock: clock)
        accounts = SIPAccounts(own, engine: CallEngine(dependencies))
        calls = CallManager(sounds: FakeSounds(), clock: clock)
        calls.acceptCalls(from: lines)
        calls.observe(by: self) { [weak self] in
            if case .ended(let record) = $0 { self?.records.append(record) }
        }
    }

    static func open(_ id: String) throws(GLibError) -> Settings {
        try Settings(
            schema: "io.github.touchtone.Touchtone.SipAccount",
            path: "/io/github/touchtone/Touchtone/sip/\(id)/",
            folders: ["\(Checkout.folder)/data"])
    }

    /// Adds an account to the settings as a script does, with its password in the keyring.
    @discardableResult
    func configure(_ id: String = "ada", password: String? = "secret") throws -> Settings {
        let own = try Self.open(id)
        own[text: "address"] = "sip:\(id)@example.org"
        keyring.stored["sip:\(id)@example.org"] = password
        settings[list: "sip-accounts"] += [id]
        return own
    }

    /// Starts with one account that is registered.
    func register(_ id: String = "ada") async throws {
        try configure(id)
        accounts.start()
        try await ready()
        engine.say(.registration(account: id, .registered))
        try await wait { self.lines.line(id)?.state == .available }
        _ = engine.takeCommands()
    }

    /// Answers the start of the engine.
    func ready() async throws {
        try await wait { self.launcher.engine?.configuration != nil }
        engine.say(.ready(version: SIPHelper.version))
        try await wait { self.accounts.engine.isReady }
    }

    /// Lets the engine of a registered account die while it handles a message, and starts the next one.
    func die(handling message: Int?) async throws {
        engine.say(.registration(account: "ada", .registered))
        try await wait { self.lines.line("ada")?.state == .available }
        engine.handledMessage = message
        engine.die()
        try await wait { !self.accounts.engine.isReady }
        clock.advance(by: Restarts.shortestDelay)
        try await ready()
    }

    var engine: FakeEngine {
        guard let engine = launcher.engine else { preconditionFailure("no engine was started") }
        return engine
    }

    func state(of id: String = "ada") -> TelephoneAccount.State? {
        accounts.accounts.first { $0.id == id }?.state
    }

    func dial(_ number: String, address: String = "", on id: String = "ada") throws {
        let line = try #require(lines.line(id))
        calls.dial(RemoteParty(DialledNumber(number) ?? DialledNumber(), address: address), on: line)
    }

    /// Makes a call that is answered, and returns its id.
    func talk(_ number: String = "5551234") async throws -> SIPCallID {
        try dial(number)
        var id: SIPCallID?
        try await wait {
            for case .call(let dialled, .dial) in self.engine.commands { id = dialled }
            return id != nil
        }
        _ = engine.takeCommands()
        let found = try #require(id)
        engine.say(.call(found, .answered))
        try await wait { self.calls.current?.state == .connected }
        return found
    }

    func expect(_ commands: SIPCommand..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation) { self.engine.commands.count >= commands.count }
        #expect(engine.takeCommands() == commands, sourceLocation: sourceLocation)
    }

    /// Runs the main loop and the tasks of the main actor until a condition holds.
    func wait(_ location: SourceLocation = #_sourceLocation, until condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < limit, "waited in vain", sourceLocation: location)
            await settle()
        }
    }

    /// Runs everything that is due.
    func settle() async {
        for _ in 0..<5 {
            while g_main_context_iteration(nil, 0) != 0 {}
            await Task.yield()
        }
    }
}

/// A line that is never used.
@MainActor
final class FakeLine: Line {
    let id = "practice"
    let label = "PRACTICE"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?

    func dial(_ remote: RemoteParty) -> any LineCall { preconditionFailure("nothing is dialled here") }
}

final class FakeSounds: SoundOutput {
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 0) }
    func stop(_ sound: PlayedSound) {}
    func setSpeaker(_ device: String?) {}
}
