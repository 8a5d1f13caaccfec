// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The voice of the key tones: it takes key commands in order, and sounds each press.
///
/// However fast commands arrive, a tone lasts at least `minimumTone` before it fades, with at least `minimumPause`
/// between tones; further commands wait in the ring. A press during a tone ends that tone. The length of a queued press
/// is not preserved: the queue plays as fast as the two minima allow.
///
/// With pulse dialling, a press sounds all pulses of its digit, however soon it is released. Keys without pulses are
/// skipped.
struct KeyTones: ~Copyable {
    /// The minimum time from the start of a tone's rise to the start of its fall, in seconds.
    static let minimumTone = 0.050
    /// The minimum silence between two tones, in seconds.
    static let minimumPause = 0.050

    private enum State { case silent, sounding, fading }

    private let commands: KeyCommandRing
    private let pairs: InlineArray<16, KeySound>
    private let toneFrames: Int
    private let rate: Double
    private let pulses: InlineArray<10, ClickSource>

    private var state = State.silent
    private var key = 0
    private var sound: KeySound
    private var envelope: Envelope
    private var gain: Gain
    private var age = 0
    private var pauseLeft = 0
    private var endIsWanted = false
    /// The required silence after the last sound, in seconds.
    private var pause = minimumPause

    init(commands: KeyCommandRing, rate: Double) {
        self.commands = commands
        pairs = InlineArray { .pair(TonePair(DTMFKey(rawValue: UInt8($0)) ?? .zero, rate: rate)) }
        sound = pairs[0]
        toneFrames = Int((Self.minimumTone * rate).rounded(.up))
        self.rate = rate
        pulses = InlineArray { digit in
            ClickSource(pulsing: [DTMFKey(rawValue: UInt8(digit)) ?? .zero], rate: Int(rate))
        }
        envelope = Envelope(rate: rate)
        gain = Gain(0, rate: rate)
    }

    /// Whether nothing sounds or is pending.
    var isSilent: Bool { state == .silent && commands.isEmpty }

    /// Whether a tone is sounding, so that it must not change.
    var isSounding: Bool {
        @_noLocks @_noAllocation get { state != .silent }
    }

    /// Adds the voice to `output`; returns the frames up to its end in this block, 0 for silence.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutableBufferPointer<Float>, _ mixing: MixSettings) -> Int {
        var frame = 0
        var soundEnd = 0
        if state == .silent { gain.jump(to: mixing.keys) } else { gain.glide(to: mixing.keys) }
        while frame < output.count {
            let room = output.count - frame
            switch state {
            case .silent:
                let pause = min(pauseLeft, room)
                pauseLeft -= pause
                frame += pause
                guard pause == 0 else { continue }
                guard let next = takeStart(mixing) else { return soundEnd }
                begin(next, mixing)
            case .sounding where isPulsing:
                frame += addPulses(to: output, from: frame)
                soundEnd = frame
            case .sounding:
                if !endIsWanted { endIsWanted = takeEnd() }
                let frames = endIsWanted ? min(max(toneFrames - age, 0), room) : room
                guard frames > 0 else {
                    envelope.fall()
                    state = .fading
                    continue
                }
                add(frames, to: output, from: frame)
                age += frames
                frame += frames
                soundEnd = frame
            case .fading:
                let frames = min(envelope.framesLeft, room)
                add(frames, to: output, from: frame)
                frame += frames
                soundEnd = frame
                guard envelope.isOver else { continue }
                rest(for: Self.minimumPause)
            }
        }
        return soundEnd
    }

    /// Sets the number of frames of silence since the last tone, played or not.
    mutating func recordSilence(_ silence: Int) {
        guard state == .silent else { return }
        pauseLeft = max(0, frames(pause) - silence)
    }

    /// Restarts the current tone, for a device that lost its samples.
    mutating func beginAgain(_ mixing: MixSettings) {
        guard state == .sounding else { return }
        begin(key, mixing, endIsWanted: endIsWanted)
    }

    mutating func discard() {
        commands.dropAll()
        state = .silent
        pauseLeft = 0
    }

    /// Removes releases of finished tones from the ring, and then takes a press.
    private func takeStart(_ mixing: MixSettings) -> Int? {
        while let command = commands.peek() {
            commands.drop()
            if case .start(let key) = command, !mixing.isPulsed || key < pulses.count { return Int(key) }
        }
        return nil
    }

    /// Returns whether the next command ends the tone: a release, which is removed, or a press, which stays queued.
    private func takeEnd() -> Bool {
        guard let command = commands.peek() else { return false }
        if case .stop = command { commands.drop() }
        return true
    }

    private mutating func begin(_ key: Int, _ mixing: MixSettings, endIsWanted: Bool = false) {
        self.key = key
        self.endIsWanted = endIsWanted
        if mixing.isPulsed, key < pulses.count {
            sound = .pulses(pulses[key])
        } else if let frames = mixing.toneSet?[key] {
            sound = .recording(KeySound.Recording(frames))
        } else {
            sound = pairs[key]
        }
        state = .sounding
        age = 0
        envelope.rise()
    }

    private mutating func add(_ count: Int, to output: UnsafeMutableBufferPointer<Float>, from first: Int) {
        switch sound {
        case .pair(var pair):
            for frame in first..<first + count {
                output[frame] += Float(pair.next() * envelope.next() * gain.next())
            }
            pair.normalise()
            sound = .pair(pair)
        case .recording(var recording):
            for frame in first..<first + count {
                output[frame] += Float(recording.next() * envelope.next() * gain.next())
            }
            sound = .recording(recording)
        case .pulses: break
        }
    }
}

// MARK: - Pulses

extension KeyTones {
    private var isPulsing: Bool {
        @_noLocks @_noAllocation get { if case .pulses = sound { true } else { false } }
    }

    /// Adds the pulses up to their end, and returns the number of frames.
    @_noLocks @_noAllocation
    private mutating func addPulses(to output: UnsafeMutableBufferPointer<Float>, from first: Int) -> Int {
        guard case .pulses(var clicks) = sound else { return 0 }
        var frame = first
        while frame < output.count, !clicks.isOver {
            output[frame] += Float(clicks.next() * gain.next() / clicks.peak)
            frame += 1
        }
        sound = .pulses(clicks)
        if clicks.isOver { rest(for: ClickSource.restAfterDigit) }
        return frame - first
    }

    @_noLocks @_noAllocation
    private mutating func rest(for seconds: Double) {
        state = .silent
        pause = seconds
        pauseLeft = frames(seconds)
    }

    @_noLocks @_noAllocation
    private func frames(_ seconds: Double) -> Int { Int(seconds * rate + 0.999) }
}
