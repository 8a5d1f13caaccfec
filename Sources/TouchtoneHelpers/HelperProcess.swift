// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
public import HelperMessages
public import TouchtoneCore

/// A helper's process, which is started again whenever it ends.
@MainActor
public final class HelperProcess<Kind: HelperKind> {
    /// The receiver of the helper's start: it accepts commands from now on, and knows nothing of earlier ones.
    public var onReady: (() -> Void)?
    public var onEvent: ((Kind.Event) -> Void)?
    /// The receiver of an unexpected end, with what the helper had noted (`LaunchedHelper.note`).
    public var onEnd: ((_ note: Int?) -> Void)?
    /// The source of the settings of the next start, without which nothing is started.
    public var configuration: (() -> Kind.Configuration)?

    /// Whether the helper is to run.
    public private(set) var isWanted = false
    /// Whether the helper accepts commands.
    public private(set) var isReady = false
    /// The settings with which the helper was started.
    public private(set) var configured: Kind.Configuration?

    /// Whether the installed helper speaks another version of the messages.
    private var isIncompatible = false
    private var restarts = Restarts()
    private let launcher: any HelperLauncher
    private let clock: any Scheduler
    private var channel: HelperChannel<Kind>?
    private var child: LaunchedHelper?
    private var timer: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }
    private lazy var heartbeat = Heartbeat(
        clock: clock, send: { [weak self] in self?.channel?.send(.heartbeat($0)) },
        receive: { [weak self] in self?.channel?.receive() },
        failed: { [weak self] in self?.hung() })
    /// Whether the helper has to answer in time.
    private let isAsked: Bool

    public init(launcher: any HelperLauncher, clock: any Scheduler, isAsked: Bool = true) {
        (self.launcher, self.clock, self.isAsked) = (launcher, clock, isAsked)
    }

    /// The function that returns whether the helper is busy, and has to answer again and again.
    public var isBusy: () -> Bool {
        get { heartbeat.isBusy }
        set { heartbeat.isBusy = newValue }
    }

    /// Whether the helper is installed, and can be used.
    public var isAvailable: Bool { launcher.isAvailable && !isIncompatible }

    /// Whether the helper fails so often that it is worth a message.
    public var isFailing: Bool { restarts.isFailing }

    /// Starts the helper, and keeps it running.
    public func start() {
        guard !isWanted, isAvailable else { return }
        isWanted = true
        launch()
    }

    /// Ends the helper, which has some seconds to finish what it does.
    public func stop() {
        isWanted = false
        restarts.stopped()
        release()
    }

    /// Sends a command if the helper is ready; the descriptor stays open until it is sent.
    public func send(_ command: Kind.Command, with descriptor: PassedDescriptor? = nil) {
        guard isReady else { return }
        channel?.send(.command(command), with: descriptor)
        if isAsked { heartbeat.commandSent() }
    }

    /// Records that the helper did its task, so that no input that ends it again and again delays restarts.
    public func worked() { restarts.worked() }

    private func hung() {
        restarts.hung()
        ended("it did not answer")
    }

    private func launch() {
        guard let configuration = configuration?() else { return }
        restarts.launched(at: clock.now)
        do throws(GLibError) {
            let child = try launcher.launch()
            self.child = child
            let channel = try HelperChannel<Kind>(socket: child.socket)
            channel.onEvent = { [weak self] in self?.receive($0) }
            channel.onEnd = { [weak self] in self?.ended("it closed the connection") }
            self.channel = channel
            timer = clock.schedule(after: Restarts.startLimit) { [weak self] in
                self?.ended("it did not start")
            }
            configured = configuration
            channel.send(.start(version: Kind.version, configuration))
        } catch {
            ended(error.message)
        }
    }

    private func receive(_ event: HelperEvent<Kind>) {
        switch event {
        case .event(let event): if isReady { onEvent?(event) }
        case .heartbeat(let number): heartbeat.answered(number)
        case .ready(let version): if !isReady { started(version: version) }
        }
    }

    private func started(version: Int) {
        timer = nil
        guard version == Kind.version else {
            isIncompatible = true
            stop()
            onEnd?(nil)
            return
        }
        isReady = true
        restarts.ready()
        onReady?()
    }

    private func ended(_ reason: String) {
        DebugLog.write("\(Kind.program): it ended: \(reason)")
        let delay = restarts.ended(at: clock.now, wasReady: isReady)
        let note = child?.note()
        release()
        timer = clock.schedule(after: delay) { [weak self] in self?.launch() }
        onEnd?(note)
    }

    /// Ends the connection and the process.
    private func release() {
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
