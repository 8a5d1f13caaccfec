// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc
import Synchronization
import TouchtoneCore

/// The loop of the audio thread: it opens the device when needed, and feeds it while something sounds.
///
/// While a press can be expected, the device is **armed**: open, prepared and empty. A press fills its buffer and
/// starts it, so that nothing delays the tone. After the tone, the device is armed again. A stream that kept running in
/// silence would delay every tone by its whole buffer and wake the thread all the time.
///
/// When no press has come for a while but the keypad still has the focus, the device **rests**: a sound server ends the
/// stream, which would wake both programs every second or two, and the connection stays. A sound card is closed.
struct PlaybackLoop: ~Copyable {
    private enum Device {
        case closed
        /// The sound server is connected, without a stream.
        case resting(PCMConnection)
        /// The device is open, prepared and empty.
        case armed(PCM)
        case running(PCM)
    }

    static let defaultDevice = "default"
    /// The timeout of a poll during playback, in seconds: a server that dies does not always wake the poll.
    private static let stall = 0.1

    private let state: EngineState
    private let rate: Double
    private let poller = Poller()
    private var renderer: Renderer
    private var toneSet: Unmanaged<ToneSet>?

    private var device = Device.closed
    private var recovery = DeviceRetry()
    private var watch: DeviceWatch?
    private var lastUse = Instant.now
    private var readyCalls = 0
    private var deviceChoices = 0
    /// Whether the open device replaces the chosen one.
    private var isSubstitute = false
    private var underrunsTold = 0

    /// The start of the device, the frames written since, and the frames up to the end of the last tone.
    private var startTime = Instant.now
    private var written = 0
    private var soundEnd = 0
    private var deviceHasFailed = false
    /// The frames that did not fit in the device, valid until the renderer renders again.
    private var unwritten = UnsafeBufferPointer<Int16>(start: nil, count: 0)
    /// The time at which the last tone ended, as heard.
    private var quietSince: Instant?

    /// Runs on the calling thread until the engine ends.
    static func run(_ state: EngineState) {
        RealTimePriority.acquire(for: state)
        var loop = PlaybackLoop(state)
        while !state.isOver.load(ordering: .acquiring) { loop.turn() }
        loop.close()
        loop.watch?.close()
        loop.toneSet?.release()
    }

    private init(_ state: EngineState) {
        self.state = state
        rate = Double(state.configuration.rate)
        // A device's buffer may be longer than requested. It is then filled in several blocks.
        renderer = Renderer(
            commands: state.commands, sounds: state.sounds, rate: rate, maximumFrames: 8192)
    }

    private mutating func turn() {
        recordUse()
        if deviceChoices != state.deviceChoices.load(ordering: .acquiring) { changeDevice() }
        switch device {
        case .closed, .resting: if isWanted { open() }
        case .armed, .running: break
        }
        switch device {
        case .closed:
            // It is inaudible, and playing the queue when the device returns would be worse than silence.
            if recovery.isLost { renderer.discard() }
        case .resting:
            if !state.isReady.load(ordering: .acquiring) { close() }
        case .armed(let pcm):
            if !renderer.isSilent {
                start(pcm)
            } else if !isExpected {
                rest(pcm)
            } else if pcm.shape != shape {
                // The priority was granted after the device was opened.
                close()
                open()
            }
        case .running(let pcm):
            attempt { loop throws(ALSAError) in try loop.feed(pcm) }
        }
        keepWatch()
        wait()
    }
}

// MARK: - Expected presses

extension PlaybackLoop {
    /// Whether a press can be expected so soon that the device stays open.
    private var isExpected: Bool {
        state.isReady.load(ordering: .acquiring) && lastUse.age < state.configuration.idleTime
    }

    private var isWanted: Bool {
        recovery.isLost ? recovery.isDue : isExpected || !renderer.isSilent
    }

    private mutating func recordUse() {
        let calls = state.readyCalls.load(ordering: .acquiring)
        if calls != readyCalls || !renderer.isSilent {
            lastUse = .now
            recovery.recordWanted()
        }
        readyCalls = calls
        if !renderer.keyTones.isSounding { state.toneSet.take(inPlaceOf: &toneSet) }
    }

    /// Watches for devices only while one is open or wanted.
    private mutating func keepWatch() {
        var isNeeded = recovery.isLost && (state.isReady.load(ordering: .acquiring) || !renderer.isSilent)
        if case .closed = device {} else { isNeeded = true }
        if isNeeded, watch == nil { watch = DeviceWatch() }
        if !isNeeded {
            watch?.close()
            watch = nil
        }
    }

    private mutating func wait() {
        var timeout = recovery.timeout
        var playing: PCM?
        switch device {
        case .closed, .resting: break
        case .armed: timeout = isExpected ? max(0, state.configuration.idleTime - lastUse.age) : 0
        case .running(let pcm):
            timeout = isAhead(of: pcm) ? Double(pcm.periodFrames) / rate : Self.stall
            playing = isAhead(of: pcm) ? nil : pcm
        }
        let found = poller.wait(
            wake: state.wake, watch: watch?.descriptor, device: playing, timeout: timeout)
        deviceHasFailed = found.deviceHasFailed
        guard found.watchHasNews, watch?.clear() == true else { return }
        if recovery.isLost {
            recovery.expectSoon()
        } else if case .resting = device {
            // The server may have changed.
            close()
        } else if case .armed = device, isSubstitute {
            // The chosen device may be available again.
            close()
            open()
        } else if case .armed(let pcm) = device {
            // The server may have changed, and a stream of the old one would fail at the next press.
            attempt { loop throws(ALSAError) in try pcm.rearm() }
        }
    }
}

// MARK: - Opening and losing the device

extension PlaybackLoop {
    private var shape: BufferConfiguration {
        state.priority.load(ordering: .acquiring) == .none ? .ordinary : .realTime
    }

    private mutating func open() {
        deviceChoices = state.deviceChoices.load(ordering: .acquiring)
        do {
            let pcm = try openChosen()
            device = .armed(pcm)
            state.periodFrames.store(pcm.periodFrames, ordering: .relaxed)
            RealTimePriority.extendToPlugins(for: state)
            if recovery.recordFound() { state.reports.notice(.deviceFound(state.outlet)) }
        } catch {
            // Not only for the next attempt: the ringer's thread shares ALSA's configuration.
            PCM.forgetConfiguration()
            if recovery.recordLost() { state.reports.notice(.deviceLost(state.outlet)) }
        }
        // Ignore the events that opening the device caused.
        _ = watch?.clear()
    }

    /// Opens the chosen device, or ALSA's `default` if it is not available.
    private mutating func openChosen() throws(ALSAError) -> PCM {
        let rate = UInt32(state.configuration.rate)
        if case .resting(let connection) = device {
            device = .closed
            // The server may have ended since.
            if let pcm = try? PCM(connection, rate: rate, shape: shape) { return pcm }
            PCM.forgetConfiguration()
        }
        let name = state.device.withLock { $0 }
        isSubstitute = false
        do {
            return try PCM(device: name, rate: rate, shape: shape)
        } catch  where name != Self.defaultDevice {
            let pcm = try PCM(device: Self.defaultDevice, rate: rate, shape: shape)
            isSubstitute = true
            return pcm
        }
    }

    private mutating func changeDevice() {
        deviceChoices = state.deviceChoices.load(ordering: .acquiring)
        switch device {
        case .closed: if recovery.isLost { recovery.expectSoon() }
        case .resting, .armed: close()
        case .running: attempt { _ throws(ALSAError) in throw ALSAError(code: ENODEV) }
        }
    }

    /// Ends the stream of an armed device, and connects to its server again while a press may come without warning.
    private mutating func rest(_ pcm: PCM) {
        let isAtServer = pcm.isAtServer && !isSubstitute
        close()
        guard isAtServer, state.isReady.load(ordering: .acquiring),
            let connection = try? PCMConnection(device: pcm.device)
        else { return }
        device = .resting(connection)
        RealTimePriority.extendToPlugins(for: state)
    }

    private mutating func close() {
        tellOfUnderruns()
        switch device {
        case .closed: break
        case .resting(let connection): connection.close()
        case .armed(let pcm), .running(let pcm): pcm.close()
        }
        device = .closed
        state.periodFrames.store(0, ordering: .relaxed)
    }

    /// Runs work on the device; if that fails, reopens the device once and restarts the current tone.
    private mutating func attempt(_ work: (inout PlaybackLoop) throws(ALSAError) -> Void) {
        do { try work(&self) } catch {
            close()
            PCM.forgetConfiguration()
            open()
            guard case .armed(let pcm) = device, !renderer.isSilent else { return }
            renderer.keyTones.beginAgain(mixing)
            do { try fillAndStart(pcm) } catch {
                close()
                if recovery.recordLost() { state.reports.notice(.deviceLost(state.outlet)) }
            }
        }
    }
}

// MARK: - Feeding the device

extension PlaybackLoop {
    private var mixing: MixSettings {
        let keys = Double(bitPattern: state.amplitude.load(ordering: .relaxed))
        return MixSettings(
            keys: keys, sounds: keys / Level.standard.amplitude,
            ringing: Double(bitPattern: state.ringAmplitude.load(ordering: .relaxed)),
            toneSet: toneSet?._withUnsafeGuaranteedRef { $0.sounds },
            isPulsed: state.isPulsed.load(ordering: .relaxed))
    }

    private mutating func start(_ pcm: PCM) {
        renderer.keyTones.recordSilence(quietSince.map { Int($0.age * rate) } ?? .max)
        attempt { loop throws(ALSAError) in try loop.fillAndStart(pcm) }
    }

    private mutating func fillAndStart(_ pcm: PCM) throws(ALSAError) {
        device = .running(pcm)
        startTime = .now
        written = 0
        soundEnd = 0
        unwritten = UnsafeBufferPointer(start: nil, count: 0)
        try fill(pcm)
        try pcm.start()
    }

    private mutating func feed(_ pcm: PCM) throws(ALSAError) {
        do { try fill(pcm) } catch  where error.code == EPIPE {
            state.underruns.add(1, ordering: .relaxed)
            deviceHasFailed = false
            try pcm.rearm()
            try fillAndStart(pcm)
        }
        // If the device does not report the error that the poll found, the poll would return at once forever.
        guard !deviceHasFailed else { throw ALSAError(code: ENODEV) }
        guard renderer.isSilent else { return }
        // Add a period, since servers only estimate their delay.
        let heard = try written - pcm.unheardFrames() - pcm.periodFrames
        guard heard >= soundEnd else { return }
        quietSince = .now + Double(soundEnd - heard - pcm.periodFrames) / rate
        try pcm.rearm()
        device = .armed(pcm)
        tellOfUnderruns()
    }

    /// Writes to the log when nothing plays, since writing takes time.
    private mutating func tellOfUnderruns() {
        let underruns = state.underruns.load(ordering: .relaxed)
        guard underruns != underrunsTold else { return }
        let (debug, outlet, count) = (state.reports.debug, state.outlet, underruns - underrunsTold)
        underrunsTold = underruns
        BackgroundThread.start("touchtone-log") {
            debug("sound: the device for \(outlet) ran out of samples \(count) times, \(underruns) in all")
        }
    }

    /// Whether the device, such as ALSA's `null`, consumes samples faster than real time: feeding it without
    /// a limit would keep a processor busy at real-time priority.
    private func isAhead(of pcm: PCM) -> Bool {
        written > Int(startTime.age * rate) + 2 * pcm.bufferFrames
    }

    /// Renders and writes until the device is almost full.
    private mutating func fill(_ pcm: PCM) throws(ALSAError) {
        repeat {
            if unwritten.isEmpty {
                let room = try pcm.writableFrames() - pcm.reserveFrames
                guard !isAhead(of: pcm) else { return }
                // Write at least half a period, since a running device has room for a frame or two at every check. Do
                // not wait for a whole one, since PulseAudio's plugin rounds, and the poll returns a frame too early.
                guard room >= pcm.periodFrames / 2 else { return }
                let block = renderer.render(room, mixing)
                if block.soundEnd > 0 { soundEnd = written + block.soundEnd }
                unwritten = block.samples
            }
            let count = try pcm.write(unwritten)
            written += count
            unwritten = UnsafeBufferPointer(rebasing: unwritten[count...])
        } while unwritten.isEmpty
    }
}
