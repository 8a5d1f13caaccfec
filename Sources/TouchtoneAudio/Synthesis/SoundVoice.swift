// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// One playing of a `PhoneSound`, as a voice beside the key tones.
///
/// It is made where allocation is allowed, since a bell computes for some milliseconds how loud it will be, and then
/// handed to the audio thread as the plain value that it is: what is marked neither locks nor allocates.
struct SoundVoice {
    private enum Source {
        case cadence(CadenceSource)
        case bell(BellSource)
        case ding(DingSource)
        case warble(WarbleSource)
        case clicks(ClickSource)
        case echo(EchoSource)
    }

    /// What no sample goes beyond at a gain of 1.
    let peak: Double

    private var source: Source
    private var fade: Envelope
    private var isStopping = false
    private var hasEnded = false
    private var gain: Gain
    private var isNew = true

    /// At the beginning of the sound; `rate` in hertz.
    init(_ sound: PhoneSound, rate: Int) {
        let source: Source =
            switch sound {
            case .cadence(let cadence): .cadence(CadenceSource(cadence, rate: rate))
            case .bell: .bell(BellSource(rate: rate))
            case .ding: .ding(DingSource(rate: rate))
            case .warble: .warble(WarbleSource(rate: rate))
            case .keyClick: .clicks(ClickSource(keyAt: rate))
            case .errorTone: .cadence(CadenceSource(PhoneSound.errorCadence, rate: rate))
            case .pulses(let keys): .clicks(ClickSource(pulsing: keys, rate: rate))
            }
        self.init(source, rate: rate)
    }

    /// At the beginning of an echo; `rate` in hertz.
    init(_ echo: EchoSource, rate: Int) { self.init(.echo(echo), rate: rate) }

    private init(_ source: Source, rate: Int) {
        self.source = source
        switch source {
        case .cadence(let source): peak = source.peak
        case .bell(let source): peak = source.peak
        case .ding(let source): peak = source.peak
        case .warble(let source): peak = source.peak
        case .clicks(let source): peak = source.peak
        case .echo(let source): peak = source.peak
        }
        fade = Envelope(rate: Double(rate))
        gain = Gain(0, rate: Double(rate))
    }

    /// Whether nothing comes any more: the sound is at its end, or was stopped and has faded.
    var isOver: Bool { @_noLocks @_noAllocation get { hasEnded } }

    /// Begins to fade the sound, which takes 4 ms.
    @_noLocks @_noAllocation
    mutating func stop() {
        guard !isStopping else { return }
        isStopping = true
        fade.fall()
    }

    /// Adds the sound to `output`; a change of `gain` glides.
    ///
    /// - Returns: the number of frames up to the end of the sound in this block: all of them, pauses too, until it is
    ///   over.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutableBufferPointer<Float>, gain amplitude: Double) -> Int {
        guard !hasEnded else { return 0 }
        if isNew { gain.jump(to: amplitude) } else { gain.glide(to: amplitude) }
        isNew = false
        var frame = 0
        // A loop for each, since the compiler cannot see through a generic one that it neither locks nor allocates.
        switch source {
        case .cadence(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            sound.normalise()
            source = .cadence(sound)
        case .bell(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            sound.normalise()
            source = .bell(sound)
        case .ding(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            sound.normalise()
            source = .ding(sound)
        case .warble(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            sound.normalise()
            source = .warble(sound)
        case .clicks(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            sound.normalise()
            source = .clicks(sound)
        case .echo(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            source = .echo(sound)
        }
        return frame
    }

    /// Adds a frame; false where the sound has come to its end.
    @inline(__always)
    @_noLocks @_noAllocation
    private mutating func add(_ value: Double, _ isOver: Bool, to output: inout Float) -> Bool {
        hasEnded = isOver || fade.isOver
        guard !hasEnded else { return false }
        let amplitude = gain.next()
        output += Float(isStopping ? value * amplitude * fade.next() : value * amplitude)
        return true
    }
}
