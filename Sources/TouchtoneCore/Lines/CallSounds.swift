// SPDX-License-Identifier: GPL-3.0-or-later

/// Plays what the calls sound like from here: a function of what they are at, so that no sound can be left over.
@MainActor
final class CallSounds {
    /// What may sound besides one another.
    private enum Part: Hashable { case line, alert }

    /// What is wanted of a part.
    private enum Wanted: Hashable {
        case network(NetworkSound)
        case bell
    }

    private struct Playing {
        let wanted: Wanted
        let sound: PlayedSound
    }

    /// How the network sounds; without a plan it is silent.
    var plan: TonePlan?

    private let output: any SoundOutput
    private var speaker: String?
    private var playing: [Part: Playing] = [:]

    init(output: any SoundOutput) { self.output = output }

    /// Plays what the calls sound like now, and nothing else.
    ///
    /// - Parameters:
    ///   - current: the call that the user is at.
    ///   - isDialTone: whether a line was taken without a number.
    ///   - ringing: whether somebody calls; nil is nobody, true is while the phone is in a call.
    ///   - speaker: the name of the device that the calls are heard on; nil is the device for tones.
    func follow(
        current: Call?, isDialTone: Bool, ringingInCall ringing: Bool?, on speaker: String?
    ) {
        if speaker != self.speaker {
            self.speaker = speaker
            output.setSpeaker(speaker)
        }
        set(.line, isDialTone ? .network(.dial) : current.flatMap(Self.sound))
        set(.alert, ringing.map { $0 ? .network(.callWaiting) : .bell })
    }

    private static func sound(of call: Call) -> Wanted? {
        switch call.state {
        case .ringing: .network(.ringback)
        case .refused: call.machine.endReason?.sound.map { .network($0) }
        case .idle, .dialling, .earlyMedia, .incoming, .connected, .joined, .held, .ended: nil
        }
    }

    /// Plays the tone of a key that was sent without anybody pressing it.
    func play(_ key: DTMFKey) { output.play(.cadence(.key(key)), on: .tones) }

    private func set(_ part: Part, _ wanted: Wanted?) {
        guard wanted != playing[part]?.wanted else { return }
        if let before = playing.removeValue(forKey: part) { output.stop(before.sound) }
        switch wanted {
        case nil: break
        case .bell: playing[part] = Playing(wanted: .bell, sound: output.play(.bell, on: .ringer))
        case .network(let sound):
            guard let plan else { return }
            let played = output.play(.cadence(plan[sound]), on: .tones)
            playing[part] = Playing(wanted: .network(sound), sound: played)
        }
    }
}
