// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
import TouchtoneCore

/// The engine's process, which is started again whenever it ends.
@MainActor
final class EngineProcess {
    /// The delay before the first restart; it doubles with each further one, up to `longestDelay`.
    static let shortestDelay = Duration.milliseconds(500)
    static let longestDelay = Duration.seconds(60)
    /// The time after which an engine that ends counts as the first one again.
    static let stableTime = Duration.seconds(60)
    /// The greatest time from the start to `SIPEvent.ready`.
    static let startLimit = Duration.seconds(20)
    /// The greatest number of messages that are refused because engines have died of them.
    static let maximumRefused = 64

    /// The receiver of the engine's start: it accepts commands from now on, and knows nothing of earlier ones.
    var onReady: (() -> Void)?
    /// The receiver of events, other than `ready`.
    var onEvent: ((SIPEvent) -> Void)?
    /// The receiver of an unexpected end.
    var onEnd: (() -> Void)?
    /// The source of the first command.
    var configuration: () -> SIPConfiguration = { SIPConfiguration(userAgent: "Touchtone") }

    /// Whether the engine is to run.
    private(set) var isWanted = false
    /// Whether the engine accepts commands.
    private(set) var isReady = false
    /// Whether the installed engine speaks another version of the messages.
    private(set) var isIncompatible = false

    /// Whether the engine has ended more than once in a row, each time soon after its start or without accepting commands, or
    /// had to be ended because it did not answer; a single failure is repaired too soon to be worth a message.
    var isFailing: Bool { failureCount > 1 || endCount > 1 || hasHung }

    /// Whether the engine was ended because it did not answer, and has not worked since.
    private var hasHung = false

    /// The number of ends in a row without `SIPEvent.ready`.
    private var failureCount = 0
    /// The number of ends in a row of engines that accepted commands, each before `stableTime`.
    private var endCount = 0
    /// The configuration that the engine was started with.
    private var configured: SIPConfiguration?
    private let launcher: any EngineLauncher
    private let clock: any Scheduler
    private var channel: EngineChannel?
    private var child: LaunchedEngine?
    /// The fingerprints of the messages of which engines have died, the latest last.
    private var refusedMessages: [Int] = []
    private var timer: (any ScheduledTimer)?
    private var delay = shortestDelay
    private var began = Duration.zero

    private lazy var heartbeat = Heartbeat(
        clock: clock, send: { [weak self] in self?.channel?.send($0) },
        receive: { [weak self] in self?.channel?.receive() },
        failed: { [weak self] in self?.hung() })
    /// Whether the engine has to answer in time.
    private let asksEngine: Bool

    init(launcher: any EngineLauncher, clock: any Scheduler, asksEngine: Bool = true) {
        (self.launcher, self.clock, self.asksEngine) = (launcher, clock, asksEngine)
    }

    /// The function that returns whether there is a call.
    var isInCall: () -> Bool {
        get { heartbeat.isInCall }
        set { heartbeat.isInCall = newValue }
    }

    /// Whether the engine is installed, and can be used.
    var isAvailable: Bool { launcher.isAvailable && !isIncompatible }

    /// Whether the engine does not follow a setting that it only reads when it starts.
    var isOutdated: Bool {
        isReady && configured?.acceptsDirectCalls != configuration().acceptsDirectCalls
    }

    /// Starts the engine, and keeps it running.
    func start() {
        guard !isWanted, isAvailable else { return }
        isWanted = true
        launch()
    }

    /// Ends the engine, which unregisters its accounts before.
    func stop() {
        isWanted = false
        (failureCount, endCount, hasHung) = (0, 0, false)
        release()
    }

    /// Sends a command; does nothing while the engine is not ready.
    func send(_ command: SIPCommand) {
        guard isReady else { return }
        channel?.send(command)
        if asksEngine { heartbeat.commandSent() }
    }

    /// Records that an account is registered: the next start then follows soon, so that nobody keeps the user's lines away by a
    /// message that ends the engine again and again.
    func worked() { (hasHung, delay) = (false, Self.shortestDelay) }

    private func hung() {
        hasHung = true
        ended("it did not answer")
    }

    private func launch() {
        began = clock.now
        do throws(GLibError) {
            let child = try launcher.launch()
            self.child = child
            let channel = try EngineChannel(socket: child.socket)
            channel.onLine = { [weak self] in self?.receive($0) }
            channel.onEnd = { [weak self] in self?.ended("it closed the connection") }
            self.channel = channel
            timer = clock.schedule(after: Self.startLimit) { [weak self] in self?.ended("it did not start") }
            let configuration = configuration()
            configured = configuration
            var start = configuration
            start.refusedMessages = refusedMessages
            channel.send(.start(start))
        } catch {
            ended(error.message)
        }
    }

    private func receive(_ line: [UInt8]) {
        guard let event = MessageCoding.message(in: line, as: SIPEvent.self) else {
            return DebugLog.write("sip: the engine sent an unknown event")
        }
        if case .heartbeat(let number) = event { return heartbeat.answered(number) }
        guard case .ready(let version) = event else {
            if isReady { onEvent?(event) }
            return
        }
        guard !isReady else { return }
        timer?.cancel()
        guard version == SIPConfiguration.version else {
            isIncompatible = true
            stop()
            onEnd?()
            return
        }
        isReady = true
        failureCount = 0
        sendChanges()
        onReady?()
    }

    /// Sends what has changed while the engine was starting.
    private func sendChanges() {
        let now = configuration()
        guard let configured, configured != now else { return }
        if now.devices != configured.devices { channel?.send(.setDevices(now.devices)) }
        if now.hasNetwork != configured.hasNetwork {
            channel?.send(.setNetwork(isAvailable: now.hasNetwork))
        }
    }

    private func ended(_ reason: String) {
        DebugLog.write("sip: the engine ended: \(reason)")
        if clock.now - began >= Self.stableTime { (delay, endCount) = (Self.shortestDelay, 0) }
        if isReady { endCount += 1 } else { failureCount += 1 }
        if let message = child?.handledMessage() { refuse(message) }
        release()
        timer = clock.schedule(after: delay) { [weak self] in self?.launch() }
        delay = min(delay * 2, Self.longestDelay)
        onEnd?()
    }

    /// Makes later engines drop a message: they would die of it, too, as often as it comes.
    private func refuse(_ message: Int) {
        DebugLog.write("sip: the message of which it died is refused")
        refusedMessages.removeAll { $0 == message }
        refusedMessages = refusedMessages.suffix(Self.maximumRefused - 1) + [message]
    }

    /// Ends the connection and the process; an engine that has to unregister its accounts has some seconds for it.
    private func release() {
        timer?.cancel()
        timer = nil
        heartbeat.stop()
        channel?.close()
        channel = nil
        if let child {
            if isReady, !isWanted {
                _ = clock.schedule(after: .seconds(5)) { child.kill() }
            } else {
                child.kill()
            }
        }
        child = nil
        isReady = false
    }
}
