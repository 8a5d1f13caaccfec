// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneTel
import TouchtoneUI

/// Puts the parts of the program together, and has them follow the settings.
@MainActor
enum Assembly {
    static func make(resources: Resources) throws(GLibError) -> PhoneApplication.Parts {
        let settings = try Settings(schema: PhoneApplication.id, folder: resources.folder)
        let tones = SilentTones()
        let phone = Phone(
            tones: tones, formatter: NumberFormatter(library: PhoneNumberLibrary()), clock: MainLoopClock(),
            line: TelLine(ownEntry: PhoneApplication.id + ".desktop"))
        return PhoneApplication.Parts(phone: phone, settings: settings)
    }
}
final class SilentTones: ToneOutput {
    func start(_ key: DTMFKey) {}
    func stop() {}
    func setReady(_ ready: Bool) {}
    func setLevel(_ decibels: Double) {}
    func setToneSet(_ folder: String?) {}
}
