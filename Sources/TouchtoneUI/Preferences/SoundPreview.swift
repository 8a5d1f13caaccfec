// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Lets people hear what they have chosen: one sound at a time, for three seconds.
@MainActor
final class SoundPreview {
    private static let length: UInt32 = 3000

    private let output: any SoundOutput
    private var playing: PlayedSound?
    private var end: MainLoop.Timer?

    /// Plays on `output`.
    init(_ output: any SoundOutput) { self.output = output }

    /// Plays the sound in place of the one that plays.
    func play(_ sound: PhoneSound, on outlet: AudioRoute) {
        stop()
        playing = output.play(sound, on: outlet)
        end = MainLoop.after(milliseconds: Self.length) { [weak self] in self?.stop() }
    }

    private func stop() {
        end = nil
        playing.map(output.stop)
        playing = nil
    }

    isolated deinit {
        stop()
    }
}
