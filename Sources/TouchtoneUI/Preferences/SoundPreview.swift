// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Plays previews of the chosen sounds, one at a time, for three seconds each; a second press stops it.
@MainActor
final class SoundPreview {
    enum Sample {
        /// The tones of three keys, one of each row and column.
        case keys
        case sound(PhoneSound, AudioRoute)
    }

    /// The length of a preview in milliseconds.
    private static let length: UInt32 = 3000
    /// The length of a key's tone and of the pause after it, in milliseconds.
    private static let (keyLength, keyPause): (UInt32, UInt32) = (250, 120)

    private let output: any SoundOutput & ToneOutput
    private var playing: Widget?
    private var sound: PlayedSound?
    private var timer: MainLoop.Timer?

    init(_ output: any SoundOutput & ToneOutput) { self.output = output }

    /// Makes a button start a preview, and stop it; `sample` is called at each press, and nil plays nothing.
    func connect(_ button: Widget, _ sample: @escaping @MainActor () -> Sample?) {
        Signal.connect(button, "clicked") { [weak self] in
            guard let self else { return }
            let wasPlaying = playing == button
            stop()
            if !wasPlaying, let sample = sample() { play(sample, for: button) }
        }
    }

    private func play(_ sample: Sample, for button: Widget) {
        playing = button
        show("media-playback-stop-symbolic")
        switch sample {
        case .keys: play([.one, .five, .nine])
        case .sound(let sound, let route):
            self.sound = output.play(sound, on: route)
            timer = MainLoop.after(milliseconds: Self.length) { [weak self] in self?.stop() }
        }
    }

    private func play(_ keys: ArraySlice<DTMFKey>) {
        guard let key = keys.first else { return stop() }
        output.start(key)
        timer = MainLoop.after(milliseconds: Self.keyLength) { [weak self] in
            guard let self else { return }
            output.stop()
            timer = MainLoop.after(milliseconds: Self.keyPause) { [weak self] in self?.play(keys.dropFirst())
            }
        }
    }

    private func stop() {
        guard playing != nil else { return }
        timer = nil
        if let sound { output.stop(sound) } else { output.stop() }
        sound = nil
        show("media-playback-start-symbolic")
        playing = nil
    }

    private func show(_ icon: String) {
        guard let image = playing.flatMap({ gtk_button_get_image($0.cast()) }) else { return }
        gtk_image_set_from_icon_name(image.cast(), icon, GTK_ICON_SIZE_BUTTON)
    }

    isolated deinit {
        // The button may be destroyed already.
        guard playing != nil else { return }
        if let sound { output.stop(sound) } else { output.stop() }
    }
}
