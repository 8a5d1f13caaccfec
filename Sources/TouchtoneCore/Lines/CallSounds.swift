// SPDX-License-Identifier: GPL-3.0-or-later

/// The player of the calls' tones: a function of the calls' states, so that no sound can be left over.
@MainActor
final class CallSounds {
    private enum Part: Hashable { case line, alert }

    private enum Wanted: Hashable {
        case network(NetworkSound)
        case bell
    }

    private struct Playing {
        let wanted: Wanted
        let sound: PlayedSound
    }

    var plan: TonePlan?

    var quietness = Quietness.off

    private let output: any SoundOutput
    private var speaker: String?
    private var playing: [Part: Playing] = [:]

    init(output: any SoundOutput) { self.output = output }

    /// Plays the sounds of the calls’ present states, and stops all others.
    ///
    /// - Parameters:
    ///   - incoming: The call that comes in.
    ///   - isBusy: Whether the phone is in a call meanwhile.
    ///   - speaker: Nil is the device for tones.
    func follow(
        current: Call?, isDialTone: Bool, incoming: Call?, isBusy: Bool, on speaker: String?
    ) {
        if speaker != self.speaker {
            self.speaker = speaker
            output.setSpeaker(speaker)
        }
        set(.line, isDialTone ? .network(.dial) : current.flatMap(Self.sound))
        let isHeard = incoming.map { quietness.lets($0.urgency) } ?? false
        set(.alert, isHeard ? (isBusy ? .network(.callWaiting) : .bell) : nil)
    }

    private static func sound(of call: Call) -> Wanted? {
        switch call.state {
        case .ringing: .network(.ringback)
        case .refused: call.machine.endReason?.sound.map { .network($0) }
        case .idle, .dialling, .earlyMedia, .incoming, .machine, .connected, .joined, .held, .ended: nil
        }
    }

    /// Plays the tone of a key that is sent automatically.
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
