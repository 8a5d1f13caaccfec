// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A page of Preferences, built from a layout of its own.
@MainActor
protocol PreferencesPage: AnyObject {
    /// The page, a `HdyPreferencesPage`.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
}

/// The pages, by the names that the action `preferences-page` takes.
enum PreferencesPageName: String, CaseIterable, Hashable {
    case phone, lines, messages, lock, about
}

/// What the pages of Preferences work with.
@MainActor
struct PreferencesDependencies {
    let resources: Resources
    let settings: Settings
    let pad: NumberPad
    /// The program's version, as people are told it.
    let version: String
    /// Who knows the sound devices; nil where nobody does, and only the default is offered.
    let devices: (any SoundDeviceList)?
    /// What makes a choice heard.
    let sounds: any SoundOutput
    /// Who sets the passcode; nil where there is no lock, and no page for it.
    let passcode: (any PasscodeAdministration)?
    /// The lines that Dial can use.
    let lines: LineRegistry
    /// The Jabber account; nil where there can be none, and no rows for it.
    let account: ChatAccount?

    func layout(_ page: PreferencesPageName) throws(GLibError) -> Builder {
        try Builder(file: resources.layout("preferences-\(page.rawValue)"))
    }
}
