// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Plays previews of the chosen sounds, one at a time, for three seconds each.
@MainActor
final class SoundPreview {
    /// The length of a preview in milliseconds.
    private static let length: UInt32 = 3000

    private let output: any SoundOutput
    private var playing: PlayedSound?
    private var end: MainLoop.Timer?

    /// Creates a preview that plays on `output`.
    init(_ output: any SoundOutput) { self.output = output }

    /// Plays a sound, and stops the previous one.
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
