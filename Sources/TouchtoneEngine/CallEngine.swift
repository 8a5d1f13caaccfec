// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
public import SIPMessages
public import TouchtoneCore
public import TouchtoneHelpers

/// The engine of calls, a process that runs while somebody needs it: SIP accounts, or calls over Jabber.
@MainActor
public final class CallEngine {
    public struct Dependencies {
        let settings: Settings
        let clock: any Scheduler
        let launcher: any HelperLauncher
        let userAgent: String
        /// Returns a monitor of the network; called when the engine starts.
        public var makeNetwork: @MainActor () -> any NetworkWatch = { SystemNetworkWatch() }
        /// Whether the engine has to answer in time, or is ended and started again.
        public var asksEngine = true

        /// `settings` are the app's; servers see `userAgent`.
        public init(
            settings: Settings, clock: any Scheduler, launcher: any HelperLauncher, userAgent: String
        ) {
            (self.settings, self.clock) = (settings, clock)
            (self.launcher, self.userAgent) = (launcher, userAgent)
        }

        static let textUse = "real-time-text"

        @MainActor fileprivate var takesText: Bool {
            RealTimeTextUse(rawValue: settings[text: Self.textUse]) != .never
        }
    }

    public enum Change: Hashable, Sendable {
        /// The engine has started, and knows nothing of what an earlier one knew.
        case ready
        /// The engine has ended or will be ended; its calls have ended.
        case ended
        /// An account, or a call that comes in, has an event.
        case event(SIPEvent)
    }

    public let calls: EngineCalls

    private let dependencies: Dependencies
    private let process: HelperProcess<SIPHelper>
    private var network: (any NetworkWatch)?
    private var devices = SIPDevices()
    private var microphone = SIPMicrophone()
    private var refusedMessages = RefusedMessages()
    private var users: Set<ObjectIdentifier> = []
    private let observers = Observers<Change>()

    /// Creates the engine, without starting it.
    public init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        let process = HelperProcess<SIPHelper>(
            launcher: dependencies.launcher, clock: dependencies.clock, isAsked: dependencies.asksEngine)
        self.process = process
        calls = EngineCalls { [weak process] in process?.send($0, with: $1) }
        process.isBusy = { [calls] in calls.isInCall }
        process.configuration = { [weak self] in
            SIPConfiguration(
                userAgent: dependencies.userAgent, devices: self?.devices ?? SIPDevices(),
                hasNetwork: self?.network?.isAvailable ?? true,
                acceptsDirectCalls: dependencies.settings[flag: "sip-direct-calls"],
                refusedMessages: self?.refusedMessages.fingerprints ?? [],
                microphone: self?.microphone ?? SIPMicrophone(), takesText: dependencies.takesText)
        }
        process.onReady = { [weak self] in self?.started() }
        process.onEvent = { [weak self] in self?.handle($0) }
        process.onEnd = { [weak self] in self?.ended(handling: $0) }
        dependencies.settings.follow("sip-direct-calls") { [weak self] in self?.replaceOutdated() }
        dependencies.settings.follow(Dependencies.textUse) { [weak self] in
            self?.process.send(.setTakesText(dependencies.takesText))
        }
    }

    /// Whether the engine is installed, and can be used.
    public var isAvailable: Bool { process.isAvailable }

    /// Whether the engine is to run.
    public var isWanted: Bool { process.isWanted }

    /// Whether the engine accepts commands.
    public var isReady: Bool { process.isReady }

    /// Whether the engine fails so often that it is worth a message.
    public var isFailing: Bool { process.isFailing }

    /// Starts the engine for a user, or ends it if no other user needs it.
    public func setNeeded(_ isNeeded: Bool, by user: AnyObject) {
        if isNeeded {
            users.insert(ObjectIdentifier(user))
            if network == nil { watchNetwork() }
            process.start()
        } else if users.remove(ObjectIdentifier(user)) != nil, users.isEmpty {
            process.stop()
            network = nil
            calls.endAll(.hungUp)
        }
    }

    /// Sends a command if the engine is ready.
    public func send(_ command: SIPCommand) { process.send(command) }

    /// Records that the engine did its task, so that no input that ends it again and again delays restarts.
    public func worked() { process.worked() }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Plays calls on the device with that ALSA name, records them with the next, and lets callers of the answering machine be
    /// heard on the last; an empty name is the default.
    public func setDevices(playback: String, capture: String, ringing: String) {
        let devices = SIPDevices(playback: playback, capture: capture, ringing: ringing)
        guard devices != self.devices else { return }
        self.devices = devices
        process.send(.setDevices(devices))
    }

    /// Changes the gain of the microphone in decibels, and whether noise is suppressed in calls.
    public func setMicrophone(gain: Double, suppressesNoise: Bool) {
        let microphone = SIPMicrophone(gain: gain, suppressesNoise: suppressesNoise)
        guard microphone != self.microphone else { return }
        self.microphone = microphone
        process.send(.setMicrophone(microphone))
    }

    private func watchNetwork() {
        let network = dependencies.makeNetwork()
        network.onChange = { [weak self] isAvailable in
            self?.process.send(.setNetwork(isAvailable: isAvailable))
            // The address may have changed, so that the registrar and the far ends must be told.
            if isAvailable { self?.process.send(.refresh) }
        }
        self.network = network
    }

    private func started() {
        sendChanges()
        observers.notify(.ready)
        replaceOutdated()
    }

    /// Sends what has changed while the engine was starting.
    private func sendChanges() {
        guard let configured = process.configured, let now = process.configuration?() else { return }
        if now.devices != configured.devices { process.send(.setDevices(now.devices)) }
        if now.microphone != configured.microphone { process.send(.setMicrophone(now.microphone)) }
        if now.takesText != configured.takesText { process.send(.setTakesText(now.takesText)) }
        if now.hasNetwork != configured.hasNetwork { process.send(.setNetwork(isAvailable: now.hasNetwork)) }
    }

    /// Starts the engine anew after a change of a setting that it only reads then, once no call needs it.
    private func replaceOutdated() {
        guard process.isReady, calls.isEmpty,
            process.configured?.acceptsDirectCalls != process.configuration?().acceptsDirectCalls
        else { return }
        process.stop()
        observers.notify(.ended)
        process.start()
    }

    private func ended(handling message: Int?) {
        if let message { refusedMessages.add(message) }
        calls.endAll(.failed(localized("the SIP service stopped unexpectedly and is being restarted")))
        observers.notify(.ended)
    }

    private func handle(_ event: SIPEvent) {
        switch event {
        case .call(_, .incoming), .registration, .relay, .mailbox, .extension: observers.notify(.event(event))
        case .call(let id, let event):
            calls.handle(event, of: id)
            replaceOutdated()
        }
    }
}
