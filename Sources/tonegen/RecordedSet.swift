// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneAudio
import TouchtoneCore

/// The tone set that is supplied with the phone.
struct RecordedSet {
    private static let rate = 48_000

    /// Writes a file for each key to a folder, which is created if necessary.
    func write(to folder: String) throws(CommandError) {
        try OutputFile.makeFolder(folder)
        for key in DTMFKey.allCases {
            let samples = KeyToneScore([key]).samples(rate: Self.rate)
            try OutputFile.write(
                WAVFile(samples: samples, rate: Self.rate).bytes, to: "\(folder)/\(key.fileName)")
        }
    }
}
