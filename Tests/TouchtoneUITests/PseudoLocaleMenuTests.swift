// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that every text of the menus, dialogs and forms can be translated, and has room for a longer translation.
final class PseudoLocaleMenuTests: GtkTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        onMainActor { setAnimations(false) }
    }

    override func tearDown() {
        onMainActor { setAnimations(true) }
        super.tearDown()
    }

    func testPhoneMenus() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try PhoneWindowFixture(directory: People().directory, devices: TwoDevices())
                faults.lookAtMenuButtons(of: fixture.widget)
                fixture.tap(fixture.window.display.widget, button: 3)
                faults.lookAtMenu()
                fixture.phone.paste("5551234")
                fixture.tap(try XCTUnwrap(fixture.widget(named: "Dial")), button: 3)
                faults.lookAtMenu()
                let line = fixture.talkingLine()
                fixture.talk("5551234", on: line)
                fixture.act("speaker")
                faults.lookAtMenu()
                fixture.phone.hangUp()
                fixture.settings[text: "dial-line"] = "tel"
                fixture.phone.line = fixture.line
                fixture.line.end = .noTelHandler
                fixture.phone.clear()
                fixture.phone.paste("110")
                fixture.phone.dial()
                waitUntil("the practice exchange is offered") {
                    fixture.widget(named: "Use the Practice") != nil
                }
                faults.look(at: fixture.widget)
                fixture.settings.reset("dial-line")
                fixture.clear()
            }
        }
    }

    func testMessageMenusAndForms() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try MessagePanelFixture(state: .online)
                fixture.meet()
                fixture.come("hi", from: ChatAddress("stranger@example.org"))
                // Rows in quick succession are arranged after a pause.
                waitUntil("the stranger has a row") { fixture.row(with: "stranger") != nil }
                fixture.settle()
                faults.lookAtMenuButtons(of: fixture.widget)
                for name in ["Grace", "stranger", "Operator"] {
                    fixture.tap(try XCTUnwrap(fixture.row(with: name)), button: 3)
                    faults.lookAtMenu()
                }
                for (name, item) in [
                    ("Grace", "Rename"), ("Grace", "Remove"), ("Grace", "Block"), ("stranger", "Add to"),
                ] {
                    fixture.tap(try XCTUnwrap(fixture.row(with: name)), button: 3)
                    fixture.choose(itemWith: item)
                    waitUntil("the form is open") { !fixture.popovers.isEmpty }
                    for popover in fixture.popovers { faults.look(at: popover) }
                    TransientPopover.cancel()
                    fixture.settle()
                }
                fixture.open()
                fixture.chat.send("call (555) 867-5309", to: MessagePanelFixture.grace)
                fixture.come("hello")
                fixture.settle()
                faults.look(at: fixture.widget)
                for text in ["867-5309", "hello"] {
                    fixture.tap(try XCTUnwrap(fixture.row(with: text)), button: 3)
                    faults.lookAtMenu()
                }
                fixture.service.invitation = MadeInvitation(
                    link: "", expiry: ChatTime(milliseconds: 0), effect: .buddyWhileOnline)
                for form in ["add", "invite", "status"] {
                    g_action_group_activate_action(try XCTUnwrap(fixture.actions), form, nil)
                    waitUntil("the form is open") { !fixture.popovers.isEmpty }
                    for popover in fixture.popovers { faults.look(at: popover) }
                    TransientPopover.cancel()
                    fixture.settle()
                }
                fixture.clear()
            }
        }
    }

    func testRoomMenusAndForms() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try MessagePanelFixture(state: .online)
                fixture.meet()
                let address = ChatAddress("ada@example.org")
                let record = RoomRecord(address, name: "Navy", nickname: "Grace Hopper")
                let room = Room(
                    record, standing: .joined, topic: "at lunch", peopleCount: 2,
                    rights: [.speak, .kick, .ban, .own])
                // The words of the form are the server's.
                fixture.service.groups.settings[address] = RoomForm(
                    instructions: "", fields: [RoomForm.Field("whois", label: "", .one("", of: []))])
                fixture.service.tell(.room(room))
                fixture.service.groups.people[address] = [RoomPerson.Role.moderator, .participant].map {
                    RoomPerson(
                        nickname: $0 == .moderator ? "Ada Lovelace" : "Edsger", role: $0, affiliation: .none,
                        address: address, availability: .online, isMe: false)
                }
                fixture.service.tell(
                    .invitation(
                        RoomInvitation(
                            to: ChatAddress("stranger@example.org"), from: MessagePanelFixture.grace)))
                fixture.open(address)
                waitUntil("it is a row") { fixture.row(with: "Navy") != nil }
                faults.look(at: fixture.widget)
                for item in ["People", "Invite", "Change Topic", "Room Settings", "Leave Room"] {
                    fixture.tap(try XCTUnwrap(fixture.row(with: "Navy")), button: 3)
                    faults.lookAtMenu()
                    fixture.tap(try XCTUnwrap(fixture.row(with: "Navy")), button: 3)
                    fixture.choose(itemWith: item)
                    waitUntil("the form is open") { !fixture.popovers.isEmpty }
                    fixture.settle()
                    for popover in fixture.popovers { faults.look(at: popover) }
                    TransientPopover.cancel()
                    fixture.settle()
                }
                g_action_group_activate_action(try XCTUnwrap(fixture.actions), "join", nil)
                waitUntil("the form is open") { !fixture.popovers.isEmpty }
                for popover in fixture.popovers { faults.look(at: popover) }
                TransientPopover.cancel()
                fixture.settle()
                PublicRooms.show(
                    chat: fixture.chat, at: try XCTUnwrap(fixture.row(with: "Navy"))
                ) { _ in }
                waitUntil("the list is open") { !fixture.popovers.isEmpty }
                for popover in fixture.popovers { faults.look(at: popover) }
                TransientPopover.cancel()
                fixture.settle()
                fixture.chat.accountLabel = "Ada Lovelace"
                AccountPrompt.ask(
                    about: address, among: [fixture.chat], at: try XCTUnwrap(fixture.row(with: "Navy"))
                ) { _ in }
                waitUntil("the question is open") { !fixture.popovers.isEmpty }
                for popover in fixture.popovers { faults.look(at: popover) }
                TransientPopover.cancel()
                fixture.settle()
                fixture.service.tell(.room(Room(record, standing: .outside(.nicknameTaken))))
                fixture.settle()
                faults.look(at: fixture.widget)
                fixture.clear()
            }
        }
    }

    func testCallMenus() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try CallsPageFixture(PastCall.some, areNew: true)
                let text = KeptCallText(lines: [.init(.own, "555")], isCut: true)
                fixture.store.fill(.made(.outgoing, "5558675309", name: "Grace", seconds: 42), text: text)
                fixture.history.reload()
                fixture.settle()
                faults.look(at: fixture.widget)
                let id = try XCTUnwrap(fixture.history.window.first?.id)
                let row = try XCTUnwrap(fixture.row(with: "Grace"))
                KeptTextPopover.show(textOf: id, in: fixture.history, name: "Grace", at: row)
                waitUntil("the text is open") { !fixture.textPopovers.isEmpty }
                for popover in fixture.textPopovers { faults.look(at: popover) }
                TransientPopover.cancel()
                faults.lookAtMenuButtons(of: fixture.widget)
                fixture.tap(try XCTUnwrap(fixture.row(with: "Grace")), button: 3)
                faults.lookAtMenu()
                fixture.tap(try XCTUnwrap(fixture.row(with: "Grace")))
                fixture.type(GDK_KEY_Delete)
                fixture.settle()
                faults.look(at: fixture.widget)
                fixture.clear()
            }
        }
    }

    func testContactMenusAndEditor() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try ContactsPageFixture(memory: [3: People.key("999", "Old")])
                fixture.page.openPageMenu()
                faults.lookAtMenu()
                fixture.tap(try XCTUnwrap(fixture.row(with: "Grace")), button: 3)
                faults.lookAtMenu()
                fixture.click(fixture.row(with: "Grace"))
                faults.look(at: fixture.widget)
                for key in ["Contact menu", "Memory key for 555-0142"] {
                    fixture.tap(try XCTUnwrap(fixture.widget(named: key)))
                    faults.lookAtMenu()
                }
                fixture.click(fixture.widget(named: "[Edit"))
                faults.look(at: fixture.widget)
                fixture.tap(try XCTUnwrap(fixture.widget(named: "Type: ")))
                faults.lookAtMenu()
                fixture.fill(fixture.widget(named: "[Name"), "")
                fixture.click(fixture.widget(named: "[Save"))
                faults.look(at: fixture.widget)
                fixture.type(GDK_KEY_Escape)
                fixture.page.showMemory()
                fixture.settle()
                faults.look(at: fixture.widget)
                for key in ["Memory key 3", "Memory key 4"] {
                    fixture.tap(try XCTUnwrap(fixture.widget(named: key)))
                    faults.lookAtMenu()
                }
                fixture.page.importCards()
                waitUntil("a file is asked for") { fixture.navigator.fileRequests.count == 1 }
                fixture.page.openPageMenu()
                fixture.choose(itemWith: "Export All")
                waitUntil("another file is asked for") { fixture.navigator.fileRequests.count == 2 }
                for request in fixture.navigator.fileRequests {
                    faults.look(at: [request.title, request.verb, request.kind?.name].compactMap { $0 })
                    faults.look(
                        at: (request.choice?.options.map(\.label) ?? []) + [request.choice?.label ?? ""])
                }
                fixture.clear()
            }
        }
    }

    func testAccountSetup() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let source = FakeSetupSource()
                let fixture = try PreferencesFixture(
                    page: .lines, telephone: FakeTelephone(), setup: source)
                var setup = TelephoneSetup(address: "sip:ada@example.org")
                (setup.password, setup.user, setup.server) = ("x", "1", "example.org")
                (setup.transport, setup.encryption, setup.voicemail) = ("udp", "off", "2")
                source.answer = .success(AccountSetup(name: "Navy", accounts: [.sip(setup)]))
                fixture.preferences.setUpAccounts(at: "https://example.org", over: nil)
                faults.look(at: fixture.widget)
                let entry = descendants(of: fixture.widget).first {
                    cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_widget_has_focus($0) != 0
                }
                gtk_widget_activate(try XCTUnwrap(entry))
                waitUntil("the account is shown") { fixture.row("ada@example.org") != nil }
                faults.look(at: fixture.widget)
                fixture.clear()
            }
        }
    }

    func testPreferencesDialogs() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try PreferencesFixture(page: .lock)
                fixture.activateRow(containing: "Set Passcode…")
                faults.look(at: fixture.widget)
                hdy_preferences_window_close_subpage(fixture.widget.cast())
                fixture.passcode.passcode = "1234"
                for row in ["Change Passcode…", "Remove Passcode…"] {
                    fixture.activateRow(containing: row)
                    faults.look(at: fixture.widget)
                    hdy_preferences_window_close_subpage(fixture.widget.cast())
                }
                fixture.show(.messages)
                fixture.settings[text: "jabber-jid"] = "ada@example.org"
                for state in [
                    AccountState.connecting, .online, .failed(.password("")), .signedOut,
                ] {
                    fixture.account.connection.become(state)
                    faults.look(at: fixture.widget)
                }
                fixture.activateRow(containing: "Remove Account…")
                waitUntil("the question is asked") { fixture.dialog != nil }
                faults.look(at: try XCTUnwrap(fixture.dialog))
                gtk_dialog_response(fixture.dialog?.cast(), GTK_RESPONSE_CANCEL.rawValue)
                waitUntil("the question is answered") { fixture.dialog == nil }
                fixture.clear()
            }
        }
    }
}

private struct TwoDevices: SoundDeviceList {
    func devices() async -> [SoundDevice] {
        [SoundDevice(name: "default", label: "0"), SoundDevice(name: "hw:1", label: "1")]
    }
}

extension WorkedIn {
    /// Returns the visible widget whose accessible name contains a text, which is part of its translation.
    fileprivate func widget(named text: String) -> Widget? {
        descendants(of: widget).first {
            gtk_widget_get_mapped($0) != 0 && accessibleName(of: $0)?.contains(text) == true
                && cgtk_instance_is_a($0, gtk_label_get_type()) == 0
        }
    }

    /// Returns the list row whose accessible name contains a text.
    fileprivate func row(with text: String) -> Widget? {
        descendants(of: widget).first {
            atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_ITEM
                && gtk_widget_get_mapped($0) != 0 && accessibleName(of: $0)?.contains(text) == true
        }
    }

    /// Activates the item of the open menu whose label contains a text.
    func choose(itemWith text: String, file: StaticString = #filePath, line: UInt = #line) {
        let item = gtk_grab_get_current().map { descendants(of: $0) }?.first {
            cgtk_instance_is_a($0, gtk_menu_item_get_type()) != 0
                && gtk_menu_item_get_label($0.cast()).map { String(cString: $0) }?.contains(text) == true
        }
        guard let item else { return XCTFail("there is no item \(text)", file: file, line: line) }
        gtk_menu_shell_activate_item(gtk_widget_get_parent(item).cast(), item, 1)
        handleEvents()
    }
}

extension MessagePanelFixture {
    /// The actions of the panel's menu.
    var actions: OpaquePointer? {
        descendants(of: widget).lazy.compactMap { gtk_widget_get_action_group($0, "chat") }.first
    }
}

extension PreferencesFixture {
    /// Activates the row whose title contains a text.
    fileprivate func activateRow(containing title: String, file: StaticString = #filePath, line: UInt = #line)
    {
        let row = descendants(of: widget).first {
            cgtk_instance_is_a($0, hdy_action_row_get_type()) != 0
                && hdy_preferences_row_get_title($0.cast()).map { String(cString: $0) }?.contains(title)
                    == true
        }
        guard let row else { return XCTFail("there is no row \(title)", file: file, line: line) }
        hdy_action_row_activate(row.cast())
        handleEvents()
    }
}

extension CallsPageFixture {
    fileprivate var textPopovers: [Widget] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_popover_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
    }
}
