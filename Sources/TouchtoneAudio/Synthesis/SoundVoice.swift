// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The voice of one playback of a `PhoneSound`.
///
/// It is created where allocation is allowed, since a bell needs some milliseconds to compute its peak, and then passed
/// to the audio thread as a plain value. The marked methods neither lock nor allocate.
struct SoundVoice {
    private enum Source {
        case cadence(CadenceSource)
        case bell(BellSource)
        case ding(DingSource)
        case warble(WarbleSource)
        case clicks(ClickSource)
        case echo(EchoSource)
        case queue(QueueSource)
    }

    /// The maximum of all samples at a gain of 1.
    let peak: Double

    private var source: Source
    private var fade: Envelope
    private var isStopping = false
    private var hasEnded = false
    private var gain: Gain
    private var isNew = true

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

    init(_ echo: EchoSource, rate: Int) { self.init(.echo(echo), rate: rate) }

    init(_ queue: QueueSource, rate: Int) { self.init(.queue(queue), rate: rate) }

    private init(_ source: Source, rate: Int) {
        self.source = source
        switch source {
        case .cadence(let source): peak = source.peak
        case .bell(let source): peak = source.peak
        case .ding(let source): peak = source.peak
        case .warble(let source): peak = source.peak
        case .clicks(let source): peak = source.peak
        case .echo(let source): peak = source.peak
        case .queue(let source): peak = source.peak
        }
        fade = Envelope(rate: Double(rate))
        gain = Gain(0, rate: Double(rate))
    }

    /// Whether the sound has ended, or was stopped and has faded out.
    var isOver: Bool { @_noLocks @_noAllocation get { hasEnded } }

    /// Starts to fade the sound out, in 4 ms.
    @_noLocks @_noAllocation
    mutating func stop() {
        guard !isStopping else { return }
        isStopping = true
        fade.fall()
    }

    /// Adds the sound to `output`, with a gliding gain; returns the frames up to its end in this block.
    @_noLocks @_noAllocation
    mutating func mix(into output: UnsafeMutableBufferPointer<Float>, gain amplitude: Double) -> Int {
        guard !hasEnded else { return 0 }
        if isNew { gain.jump(to: amplitude) } else { gain.glide(to: amplitude) }
        isNew = false
        var frame = 0
        // A separate loop for each source: for a generic one, the compiler cannot prove that it neither locks nor
        // allocates.
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
        case .queue(var sound):
            while frame < output.count, add(sound.next(), sound.isOver, to: &output[frame]) { frame += 1 }
            source = .queue(sound)
        }
        return frame
    }

    /// Adds a frame; returns false if the sound has ended.
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
