// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A page of Preferences, built from its own layout.
@MainActor
protocol PreferencesPage: AnyObject {
    /// The page, a `HdyPreferencesPage`.
    var widget: Widget { get }
    /// Moves the focus to where the user enters an account.
    func startAccount()
}

extension PreferencesPage {
    func startAccount() {}
}

/// The pages of Preferences, with the parameters of the action `preferences-page` as raw values.
enum PreferencesPageName: String, CaseIterable, Hashable {
    case phone, lines, messages, lock, about
}

/// The services that the pages of Preferences use.
@MainActor
struct PreferencesDependencies {
    let resources: Resources
    let settings: Settings
    let pad: NumberPad
    let version: String
    /// The list of sound devices, or nil if only the default device can be chosen.
    let devices: (any SoundDeviceList)?
    /// The output that plays sound previews.
    let sounds: any SoundOutput & ToneOutput
    /// The microphone that can be tested, or nil to omit the row.
    var microphone: (any MicrophoneMonitor)?
    let regions: RegionChoices
    /// The passcode operations, or nil to omit the Lock page.
    let passcode: (any PasscodeAdministration)?
    /// The encryption of the messages on this computer, or nil to omit its row.
    var protection: StoreProtection?
    let lines: LineRegistry
    /// The phone whose callers are blocked, or nil to omit the block list.
    var phone: Phone?
    /// The answering machine, and what plays and records its greeting; nil to omit its rows.
    var machine: AnsweringMachine?
    var voice: VoiceMessages?
    /// The SIP accounts, or nil to omit their rows.
    var telephone: (any TelephoneAccounts)?
    /// The mobile phones, or nil to omit their rows.
    var mobiles: (any MobilePhones)?
    /// The source of accounts that web addresses offer, or nil to omit its row.
    var setup: (any AccountSetupSource)?
    /// The first Jabber account, or nil to omit its rows.
    let account: ChatAccount?
    /// All Jabber accounts, or nil to omit the rows of the others.
    var accounts: JabberAccounts?
    /// The schedule of Do Not Disturb, or nil to omit it.
    var quiet: QuietHours?
    /// The start at login; nil if its problems are not shown.
    var login: LoginStart?
    /// The shortcuts of the whole desktop; nil if they are not offered.
    var shortcuts: GlobalShortcuts?
    /// The chat whose account publishes the user's picture, or nil to omit the rows for it and for the gateway to numbers.
    var chat: Chat?
    /// A function that returns the report for a bug; nil omits its rows.
    var makeReport: (@MainActor () async -> String)?
    /// A function that asks for a file; nil opens the desktop's dialog.
    var askFile: (@MainActor (FileDialog.Request) async -> FileDialog.Answer?)?

    func layout(_ page: PreferencesPageName) throws(GLibError) -> Builder {
        try Builder(file: resources.layout("preferences-\(page.rawValue)"))
    }
}
