// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The Preferences window on the test screen.
@MainActor
final class PreferencesFixture: WorkedIn {
    let settings: Settings
    let passcode = FakePasscode()
    let protection = StoreProtection()
    let account: FakeAccount
    let service = FakeChatService()
    let chat: Chat
    let tones = FakeTones()
    let lines = LineRegistry(fallback: FixedLine("practice"))
    let phone = Phone(
        tones: FakeTones(), formatter: NumberFormatter(), clock: ManualScheduler(),
        line: FixedLine("practice"))
    let preferences: Preferences
    /// The answer to the next file dialog.
    let files = FileAnswer()
    /// The schedule of Do Not Disturb, at noon of Monday, 23 March 2026.
    let quiet = QuietHours(
        wall: ManualAlarmClock(seconds: 1_774_267_200), clock: ManualScheduler(), offset: { _ in 0 })
    /// The report for a bug.
    let report = Variable("Touchtone\n  version: 1.2.3\n")
    private let style: Style

    static let keys = [
        "number-format", "region", "number-pad", "tone-set", "tone-level", "pulse-dialling", "key-click",
        "tone-plan",
        "do-not-disturb", "quiet-schedule", "run-in-background", "autostart", "status-icon", "pause-media",
        "keep-call-text", "headset-keys", "global-shortcuts",
        "tone-device", "microphone-device", "microphone-gain", "noise-suppression", "ring-device",
        "ring-level", "dial-line", "sip-accounts",
        "sip-strangers", "unknown-callers", "hidden-callers", "answering-machine", "answering-after",
        "answering-whom", "answering-greeting", "answering-length", "answering-aloud", "recording-tone",
        "calls-by-relay", "allow-unencrypted-calls",
        "panel-visible", "lock-after",
        "my-messages-side", "stamp-lines", "real-time-text", "message-styling", "message-spelling",
        "message-notification",
        "message-sound",
        "remove-picture-metadata", "encrypt-by-default", "jabber-jid",
        "jabber-host",
        "jabber-port",
        "jabber-tls", "jabber-pinned-certificate", "jabber-sign-in-method", "jabber-gateway",
    ]

    static let regions = [
        ListedRegion(code: "DE", callingCode: "49", name: "Germany"),
        ListedRegion(code: "CI", callingCode: "225", name: "Côte d’Ivoire"),
        ListedRegion(code: "GB", callingCode: "44", name: "United Kingdom"),
    ]

    init(
        page: PreferencesPageName = .phone, devices: [SoundDevice] = [],
        microphones: [SoundDevice] = [],
        lines: [FixedLine] = [FixedLine("tel")], telephone: FakeTelephone? = nil,
        accounts: JabberAccountList? = nil, hasBlockList: Bool = false, machine: AnsweringMachine? = nil,
        voice: VoiceMessages? = nil, mobiles: (any MobilePhones)? = nil, microphone: FakeMicrophone? = nil,
        setup: (any AccountSetupSource)? = nil, jabber: JabberAccounts? = nil
    ) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        for key in Self.keys { settings.reset(key) }
        style = try Style(resources: resources)
        account = FakeAccount(settings, list: accounts)
        for line in lines { self.lines.add(line) }
        chat = Chat(
            store: MemoryMessageStore(), account: ChatAddress("ada@example.org"), services: [service],
            clock: ManualScheduler(), wall: FixedWallClock(), names: { "name" })
        preferences = Preferences(
            PreferencesDependencies(
                resources: resources, settings: settings,
                pad: NumberPad(resources: resources, settings: settings), version: "1.2.3",
                devices: FakeDevices(list: devices, inputs: microphones), sounds: tones,
                microphone: microphone,
                regions: RegionChoices(system: "GB", version: { "8.13" }, list: { Self.regions }),
                passcode: passcode,
                protection: protection, lines: self.lines, phone: hasBlockList ? phone : nil,
                machine: machine, voice: voice,
                telephone: telephone, mobiles: mobiles, setup: setup,
                account: account.model, accounts: jabber, quiet: quiet,
                chat: chat, makeReport: { [report] in report.value }, askFile: { [files] _ in files.answer }))
        quiet.save = { [quiet] in quiet.texts = $0 }
        blockList.save = { [blockList] in blockList.entries = $0 }
        movePointerAway()
        show(page)
    }

    var blockList: BlockList { phone.calls.blockList }

    /// The requested sounds, by their kind, and their ends.
    var heard: [String] { tones.notes.map { String($0.prefix { $0 != "(" }) } }

    /// Makes the theme of the rows follow the style, as the program does.
    func dressTheme() throws { try style.dressTheme() }

    /// Presses the preview button with an accessible name.
    func listen(_ name: String) throws {
        let button = descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
        }
        gtk_button_clicked(try XCTUnwrap(button, name).cast())
        handleEvents()
    }

    func show(_ page: PreferencesPageName?) {
        preferences.show(page, over: nil)
        waitUntil("the window is there") { gtk_widget_get_mapped(widget) != 0 }
        focus()
        gtk_test_widget_wait_for_draw(widget)
    }

    var widget: UnsafeMutablePointer<GtkWidget> {
        guard let window = preferences.window else { preconditionFailure("Preferences are not open") }
        return window.cast()
    }

    func clear() {
        preferences.close()
        for key in Self.keys { settings.reset(key) }
        handleEvents()
    }

    /// Returns the row with a title, wherever it is.
    func row(_ title: String) -> UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first { widget in
            cgtk_instance_is_a(widget, hdy_preferences_row_get_type()) != 0
                && hdy_preferences_row_get_title(widget.cast()).map { String(cString: $0) } == title
        }
    }

    /// Returns the control in a row.
    func control(_ title: String, type: GType) -> UnsafeMutablePointer<GtkWidget>? {
        row(title).flatMap { row in descendants(of: row).first { cgtk_instance_is_a($0, type) != 0 } }
    }

    /// Returns the value that a choice row shows.
    func choice(_ title: String) -> String {
        guard let row = row(title), let model = hdy_combo_row_get_model(row.cast()) else { return "no row" }
        let index = hdy_combo_row_get_selected_index(row.cast())
        guard let item = g_list_model_get_item(model, guint(index)) else { return "nothing" }
        defer { g_object_unref(item) }
        let text = hdy_value_object_dup_string(OpaquePointer(item))
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    /// The visible page, or the one about to be shown.
    var page: UnsafeMutablePointer<GtkWidget>? {
        let pages = descendants(of: widget).filter {
            cgtk_instance_is_a($0, hdy_preferences_page_get_type()) != 0
        }
        let stack = pages.first.flatMap { gtk_widget_get_ancestor($0, gtk_stack_get_type()) }
        return stack.flatMap { gtk_stack_get_visible_child($0.cast()) }
    }

    /// Returns the field with an accessible name.
    func field(_ name: String) -> UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && accessibleName(of: $0) == name
                && gtk_widget_get_mapped($0) != 0
        }
    }

    /// The texts of the visible labels.
    var labels: [String] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }.map { String(cString: gtk_label_get_text($0.cast())) }
    }
}

/// A line with fixed availability that makes no calls.
@MainActor
final class FixedLine: Line {
    let id: String
    let label = "LINE"
    var state: LineState { didSet { onEvent?(.stateChanged) } }
    var onEvent: ((LineEvent) -> Void)?

    init(_ id: String, _ state: LineState = .available) { (self.id, self.state) = (id, state) }

    func dial(_ remote: RemoteParty) -> any LineCall { FakeCall(remote) }
}

/// A fixed set of devices.
private struct FakeDevices: SoundDeviceList {
    let list, inputs: [SoundDevice]

    func devices() async -> [SoundDevice] { list }
    func microphones() async -> [SoundDevice] { inputs }
}

/// A passcode in plain text, for tests.
@MainActor
final class FakePasscode: PasscodeAdministration {
    var passcode: String? {
        didSet { followers.forEach { $0() } }
    }
    private var followers: [@MainActor () -> Void] = []

    var isSet: Bool { passcode != nil }
    var place: String { isSet ? "It is kept in the keyring." : "" }

    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        followers.append { [weak owner] in if owner != nil { body() } }
        body()
    }

    func setPasscode(_ new: String) async -> String? {
        passcode = new
        return nil
    }

    func changePasscode(from old: String, to new: String) async -> String? {
        guard old == passcode else { return "Wrong passcode. 4 attempts left." }
        passcode = new
        return nil
    }

    func removePasscode(_ old: String) async -> String? {
        guard old == passcode else { return "Wrong passcode. 4 attempts left." }
        passcode = nil
        return nil
    }
}
