// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneAudio
import TouchtoneCore
import TouchtoneUI

/// The sound settings, applied to the phone and the audio engine.
@MainActor
enum SoundSettings {
    /// Applies all settings now, and each one again when it changes, in this process or any other.
    static func follow(_ settings: Settings, phone: Phone, tones: AudioEngine, resources: Resources) {
        func follow(_ key: String, _ body: @escaping @MainActor (Settings) -> Void) {
            settings.follow(key) { [weak settings] in
                if let settings { body(settings) }
            }
        }
        follow("tone-level") { tones.setLevel($0[number: "tone-level"]) }
        follow("ring-level") { tones.setRingLevel($0[number: "ring-level"]) }
        follow("tone-device") { tones.setDevice($0[text: "tone-device"], for: .tones) }
        follow("ring-device") { tones.setDevice($0[text: "ring-device"], for: .ringer) }
        follow("microphone-device") { tones.setMicrophone($0[text: "microphone-device"]) }
        follow("microphone-gain") { tones.setMicrophoneGain($0[number: "microphone-gain"]) }
        TonePlanSetting.follow(settings, phone: phone, resources: resources)
        follow("pulse-dialling") { tones.setPulseDialling($0[flag: "pulse-dialling"]) }
        follow("key-click") { phone.keysClick = $0[flag: "key-click"] }
        follow("tone-set") {
            let name = $0[text: "tone-set"]
            tones.setToneSet(name.isEmpty ? nil : resources.toneSet(name))
        }
    }
}
