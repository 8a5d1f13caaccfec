// SPDX-License-Identifier: GPL-3.0-or-later

import HelperSupport

/// Files that take the place of the sound card, for tests: `TOUCHTONE_SIP_FILES=PLAYED:RECORDED`, both WAV.
struct SoundFiles {
    /// The file that the far end hears instead of the microphone.
    let played: String
    /// The existing file to which the far end's sound is added.
    let recorded: String

    static let fromEnvironment: SoundFiles? = {
        guard let parts = environment("TOUCHTONE_SIP_FILES")?.split(separator: ":"), parts.count == 2 else {
            return nil
        }
        return SoundFiles(played: String(parts[0]), recorded: String(parts[1]))
    }()
}
