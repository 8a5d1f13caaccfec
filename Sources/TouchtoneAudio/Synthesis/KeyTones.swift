// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The key tones as one voice: takes the key commands in their order and sounds each press.
///
/// However fast the commands come, a tone lasts at least `minimumTone` before it fades and `minimumPause` lies
/// between two tones; what comes meanwhile waits in the ring. A press that comes while another tone sounds ends that
/// tone. The length of a press that had to wait is not kept: a queue is played as fast as the two minima allow.
///
/// In pulse dialling a press sounds the pulses of its digit, all of them however soon the release comes, and a press
/// of a key that has none is passed over.
struct KeyTones: ~Copyable {
    /// The least time from the beginning of a tone's rise to the beginning of its fall, in seconds.
    static let minimumTone = 0.050
    /// The least silence between two tones, in seconds.
    static let minimumPause = 0.050

    private enum State { case silent, sounding, fading }

    private let commands: KeyCommandRing
    private let pairs: InlineArray<16, KeySound>
    private let toneFrames: Int
    private let rate: Double
    /// A digit's pulses that have not begun, for each digit.
    private let pulses: InlineArray<10, ClickSource>

    private var state = State.silent
    private var key = 0
    private var sound: KeySound
    private var envelope: Envelope
    private var gain: Gain
    private var age = 0
    private var pauseLeft = 0
    private var endIsWanted = false
    /// How long it is to be silent after the sound that was last, in seconds.
    private var pause = minimumPause

    /// Silent, with the synthesizer's tones; `rate` in hertz.
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

    /// Whether nothing sounds and nothing waits to be sounded.
    var isSilent: Bool { state == .silent && commands.isEmpty }

    /// Whether a tone is in the air, so that its sound must stay as it is.
    var isSounding: Bool {
        @_noLocks @_noAllocation get { state != .silent }
    }

    /// Adds the voice to `output`.
    ///
    /// - Returns: the number of frames up to the end of what sounds in this block, 0 if it is silent throughout.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutableBufferPointer<Float>, _ mixing: Mixing) -> Int {
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

    /// Tells the voice how many frames of silence went by since its last tone, played or not.
    mutating func noteSilence(_ silence: Int) {
        guard state == .silent else { return }
        pauseLeft = max(0, frames(pause) - silence)
    }

    /// Begins the tone in the air again, for a device that lost what was given to it.
    mutating func beginAgain(_ mixing: Mixing) {
        guard state == .sounding else { return }
        begin(key, mixing, endIsWanted: endIsWanted)
    }

    /// Forgets the tone in the air and every command that waits.
    mutating func discard() {
        commands.dropAll()
        state = .silent
        pauseLeft = 0
    }

    /// Takes releases of what no longer sounds out of the ring, and then a press.
    private func takeStart(_ mixing: Mixing) -> Int? {
        while let command = commands.peek() {
            commands.drop()
            if case .start(let key) = command, !mixing.isPulsed || key < pulses.count { return Int(key) }
        }
        return nil
    }

    /// Whether the next command ends the tone: a release, which is taken, or another press, which stays for later.
    private func takeEnd() -> Bool {
        guard let command = commands.peek() else { return false }
        if case .stop = command { commands.drop() }
        return true
    }

    private mutating func begin(_ key: Int, _ mixing: Mixing, endIsWanted: Bool = false) {
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

    /// Adds the pulses up to their end, and says how many frames these are.
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
