// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Synchronization
import TouchtoneCore

/// What the audio thread does: keeps the device as ready as it is needed, and feeds it while something sounds.
///
/// The device is **armed** while a press can be expected: open, prepared and empty. A press fills its buffer and starts
/// it, so that nothing lies in front of the tone; when the tone has been heard to its end the device is armed again. A
/// stream that ran on in silence would put its whole buffer in front of every tone and wake the thread all the time.
struct PlaybackLoop: ~Copyable {
    private enum Device {
        /// None is open.
        case closed
        /// Open, prepared and empty.
        case armed(PCM)
        /// Playing.
        case running(PCM)
    }

    /// ALSA's name for the device that people mean when they name none.
    static let defaultDevice = "default"
    /// How long a poll waits while the device plays, in seconds: a server that dies does not always wake the poll.
    private static let stall = 0.1

    private let state: EngineState
    private let rate: Double
    private let poller = Poller()
    private var renderer: Renderer
    private var toneSet: Unmanaged<ToneSet>?

    private var device = Device.closed
    private var recovery = Recovery()
    private var watch: DeviceWatch?
    private var lastUse = Instant.now
    private var readyCalls = 0
    private var deviceChoices = 0
    /// Whether the device that is open stands in for the one that was chosen.
    private var isSubstitute = false
    private var underrunsTold = 0

    /// When the device was started, the frames written since then, and those up to the end of the last tone.
    private var startTime = Instant.now
    private var written = 0
    private var soundEnd = 0
    /// Whether the last poll found an error at the device.
    private var deviceHasFailed = false
    /// What the device had no room for; the renderer's, until it renders again.
    private var unwritten = UnsafeBufferPointer<Int16>(start: nil, count: 0)
    /// When the last tone ended for the ear.
    private var quietSince: Instant?

    /// Runs on the calling thread until the engine is over.
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
        // A device's buffer may be longer than asked for; it is then filled in several blocks.
        renderer = Renderer(
            commands: state.commands, sounds: state.sounds, rate: rate, maximumFrames: 8192)
    }

    /// Does what there is to do, then waits for more.
    private mutating func turn() {
        noteUse()
        if deviceChoices != state.deviceChoices.load(ordering: .acquiring) { changeDevice() }
        if case .closed = device, isWanted { open() }
        switch device {
        case .closed:
            // Nobody can hear it, and a queue that burst out when the device is back would be worse than silence.
            if recovery.isLost { renderer.discard() }
        case .armed(let pcm):
            if !renderer.isSilent {
                start(pcm)
            } else if !isExpected {
                close()
            } else if pcm.shape != shape {
                // Priority was granted after the device was opened.
                close()
                open()
            }
        case .running(let pcm):
            attempt { loop throws(SystemError) in try loop.feed(pcm) }
        }
        keepWatch()
        wait()
    }
}

// MARK: - What is expected

extension PlaybackLoop {
    /// Whether a press can be expected so soon that the device is kept for it.
    private var isExpected: Bool {
        state.isReady.load(ordering: .acquiring) && lastUse.age < state.configuration.idleTime
    }

    private var isWanted: Bool {
        recovery.isLost ? recovery.isDue : isExpected || !renderer.isSilent
    }

    private mutating func noteUse() {
        let calls = state.readyCalls.load(ordering: .acquiring)
        if calls != readyCalls || !renderer.isSilent {
            lastUse = .now
            recovery.noteWanted()
        }
        readyCalls = calls
        if !renderer.keyTones.isSounding { state.toneSet.take(inPlaceOf: &toneSet) }
    }

    /// Watches for devices while one is open or looked for, and at no other time.
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
        case .closed: break
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
        } else if case .armed = device, isSubstitute {
            // The one that was chosen may be back.
            close()
            open()
        } else if case .armed(let pcm) = device {
            // The server may be another one: a stream of the old one would fail at the press.
            attempt { loop throws(SystemError) in try pcm.rearm() }
        }
    }
}

// MARK: - Opening and losing the device

extension PlaybackLoop {
    private var shape: BufferShape {
        state.priority.load(ordering: .acquiring) == .none ? .ordinary : .realTime
    }

    private mutating func open() {
        deviceChoices = state.deviceChoices.load(ordering: .acquiring)
        do {
            let pcm = try openChosen()
            device = .armed(pcm)
            state.periodFrames.store(pcm.periodFrames, ordering: .relaxed)
            RealTimePriority.extendToPlugins(for: state)
            if recovery.noteFound() { state.reports.notice(.deviceFound(state.outlet)) }
        } catch {
            // Not for the next try alone: ALSA's configuration is that of the ringer's thread too.
            PCM.forgetConfiguration()
            if recovery.noteLost() { state.reports.notice(.deviceLost(state.outlet)) }
        }
        // What opening itself did in the folders is no news.
        _ = watch?.clear()
    }

    /// The device that was chosen, or ALSA's `default` in place of one that cannot be had.
    private mutating func openChosen() throws(SystemError) -> PCM {
        let name = state.device.withLock { $0 }
        let rate = UInt32(state.configuration.rate)
        isSubstitute = false
        do {
            return try PCM(device: name, rate: rate, shape: shape)
        } catch  where name != Self.defaultDevice {
            let pcm = try PCM(device: Self.defaultDevice, rate: rate, shape: shape)
            isSubstitute = true
            return pcm
        }
    }

    /// Goes over to the device that was chosen now, with all that sounds.
    private mutating func changeDevice() {
        deviceChoices = state.deviceChoices.load(ordering: .acquiring)
        switch device {
        case .closed: if recovery.isLost { recovery.expectSoon() }
        case .armed: close()
        case .running: attempt { _ throws(SystemError) in throw SystemError(code: ENODEV) }
        }
    }

    private mutating func close() {
        tellOfUnderruns()
        switch device {
        case .closed: break
        case .armed(let pcm), .running(let pcm): pcm.close()
        }
        device = .closed
        state.periodFrames.store(0, ordering: .relaxed)
    }

    /// Works with the device; if that fails, opens it once more and begins the tone in the air again.
    private mutating func attempt(_ work: (inout PlaybackLoop) throws(SystemError) -> Void) {
        do { try work(&self) } catch {
            close()
            PCM.forgetConfiguration()
            open()
            guard case .armed(let pcm) = device, !renderer.isSilent else { return }
            renderer.keyTones.beginAgain(mixing)
            do { try fillAndStart(pcm) } catch {
                close()
                if recovery.noteLost() { state.reports.notice(.deviceLost(state.outlet)) }
            }
        }
    }
}

// MARK: - Feeding the device

extension PlaybackLoop {
    private var mixing: Mixing {
        let keys = Double(bitPattern: state.amplitude.load(ordering: .relaxed))
        return Mixing(
            keys: keys, sounds: keys / Level.standard.amplitude,
            ringing: Double(bitPattern: state.ringAmplitude.load(ordering: .relaxed)),
            toneSet: toneSet?._withUnsafeGuaranteedRef { $0.sounds },
            isPulsed: state.isPulsed.load(ordering: .relaxed))
    }

    /// Starts the armed device with the press that waits.
    private mutating func start(_ pcm: PCM) {
        renderer.keyTones.noteSilence(quietSince.map { Int($0.age * rate) } ?? .max)
        attempt { loop throws(SystemError) in try loop.fillAndStart(pcm) }
    }

    private mutating func fillAndStart(_ pcm: PCM) throws(SystemError) {
        device = .running(pcm)
        startTime = .now
        written = 0
        soundEnd = 0
        unwritten = UnsafeBufferPointer(start: nil, count: 0)
        try fill(pcm)
        try pcm.start()
    }

    private mutating func feed(_ pcm: PCM) throws(SystemError) {
        do { try fill(pcm) } catch  where error.code == EPIPE {
            state.underruns.add(1, ordering: .relaxed)
            deviceHasFailed = false
            try pcm.rearm()
            try fillAndStart(pcm)
        }
        // A poll that finds an error which the device does not know of would find it again at once, for ever.
        guard !deviceHasFailed else { throw SystemError(code: ENODEV) }
        guard renderer.isSilent else { return }
        // One period more than was counted: servers estimate their delay.
        let heard = try written - pcm.unheardFrames() - pcm.periodFrames
        guard heard >= soundEnd else { return }
        quietSince = .now + Double(soundEnd - heard - pcm.periodFrames) / rate
        try pcm.rearm()
        device = .armed(pcm)
        tellOfUnderruns()
    }

    /// Tells the log, once it is quiet: writing takes time.
    private mutating func tellOfUnderruns() {
        let underruns = state.underruns.load(ordering: .relaxed)
        guard underruns != underrunsTold else { return }
        let (debug, outlet, count) = (state.reports.debug, state.outlet, underruns - underrunsTold)
        underrunsTold = underruns
        DetachedThread.run("touchtone-log") {
            debug("sound: the device for \(outlet) ran out of samples \(count) times, \(underruns) in all")
        }
    }

    /// Whether the device takes samples faster than they can be heard, as ALSA's `null` does: feeding it all it takes
    /// would keep a processor busy, at real-time priority.
    private func isAhead(of pcm: PCM) -> Bool {
        written > Int(startTime.age * rate) + 2 * pcm.bufferFrames
    }

    /// Renders and writes until the device has hardly any room left.
    private mutating func fill(_ pcm: PCM) throws(SystemError) {
        repeat {
            if unwritten.isEmpty {
                let room = try pcm.writableFrames() - pcm.reserveFrames
                guard !isAhead(of: pcm) else { return }
                // No less than half a period: a device that plays on meanwhile has room for a frame or two at every
                // look. And no more: PulseAudio's plugin rounds, and has the poll return a frame before the period.
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
