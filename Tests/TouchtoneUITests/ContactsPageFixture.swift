// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The page of contacts in its own window on the test screen.
@MainActor
final class ContactsPageFixture: WorkedIn {
    let widget: Widget
    let people: People
    let page: ContactsPage
    let phone: Phone
    let line = FakeLine()
    let clock = ManualScheduler()
    let toast: Toast
    let settings: Settings
    let navigator = RecordingNavigator()
    let chat: Chat
    let messages = MemoryMessageStore()
    private let style: Style

    init(
        _ contacts: [NewContact] = People.some, memory: [Int: MemoryKey] = [:], width: gint = 406,
        height: gint = 640, pad: String = "never", isRightToLeft: Bool = false,
        books: (any SystemAddressBooks)? = nil
    ) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        settings[text: "number-pad"] = pad
        style = try Style(resources: resources)
        if isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
        people = People(contacts, memory: memory, books: books)
        phone = Phone(
            tones: FakeTones(), formatter: NumberFormatter(), clock: MainLoopScheduler(), line: line)
        phone.memoryKeys = people.book
        widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        widget.set(style: "touchtone", true)
        let panel = Widget.box(GTK_ORIENTATION_VERTICAL, style: "panel")
        let place = Widget.box(GTK_ORIENTATION_VERTICAL)
        gtk_container_add(widget.cast(), panel)
        let keys = Widget.box(GTK_ORIENTATION_HORIZONTAL)
        panel.add(keys)
        toast = Toast(in: place, clock: clock)
        chat = Chat(
            store: messages, services: [FakeChatService()], clock: clock, wall: FixedWallClock(),
            names: { "name" })
        page = ContactsPage(
            people.directory, phone: phone, messenger: Messenger(chat), navigator: navigator, toast: toast,
            pad: NumberPad(resources: resources, settings: settings))
        for key in page.headerKeys { keys.add(key) }
        panel.add(page.widget, grows: true)
        panel.add(place)
        for part in [page.widget, keys, place, panel] { gtk_widget_show(part) }
        gtk_window_set_default_size(widget.cast(), width, height)
        let page = page
        Signal.connectEvent(panel, "key-press-event") { page.keyPressed($0.pointee.key) }
        movePointerAway()
        gtk_widget_show(widget)
        gtk_test_widget_wait_for_draw(widget)
        focus()
        settle()
    }

    func clear() {
        for button: UInt32 in 1...3 { cxtest_button(button, false) }
        gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
        gtk_widget_destroy(widget)
        handleEvents()
    }

    /// Waits until all changes are stored, reported and drawn.
    func settle() {
        waitUntilIdle(rounds: 6) { [store = people.store] in await store.idle() }
        gtk_test_widget_wait_for_draw(widget)
    }
}

// MARK: - Accessible objects

extension ContactsPageFixture {
    /// Returns the visible widget with an accessible name and a role.
    func find(_ name: String, _ role: AtkRole = ATK_ROLE_PUSH_BUTTON) -> Widget? {
        descendants(of: widget).first {
            accessibleName(of: $0) == name && gtk_widget_get_mapped($0) != 0
                && atk_object_get_role(gtk_widget_get_accessible($0)) == role
        }
    }

    /// The names of the list's rows, in order.
    var rows: [String] {
        guard let list = find("Contacts", ATK_ROLE_LIST_BOX) else { return [] }
        let accessible = gtk_widget_get_accessible(list)
        return (0..<atk_object_get_n_accessible_children(accessible)).compactMap { index in
            guard let child = atk_object_ref_accessible_child(accessible, index) else { return nil }
            defer { g_object_unref(child) }
            return atk_object_get_name(child).map { String(cString: $0) }
        }
    }

    /// Returns the row whose name starts with a text.
    func row(_ name: String) -> Widget? {
        find("Contacts", ATK_ROLE_LIST_BOX).flatMap { list in
            descendants(of: list).first {
                atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_ITEM
                    && accessibleName(of: $0)?.hasPrefix(name) == true
            }
        }
    }

    /// The texts of the visible labels.
    var labels: [String] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }.map { String(cString: gtk_label_get_text($0.cast())) }
    }

    /// Returns the fields with a name.
    func fields(_ name: String) -> [Widget] {
        descendants(of: widget).filter {
            accessibleName(of: $0) == name && gtk_widget_get_mapped($0) != 0
                && atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_TEXT
        }
    }

    func text(_ field: Widget?) -> String {
        field.map { String(cString: gtk_entry_get_text($0.cast())) } ?? "no field"
    }

    /// Returns the text of the first field with a name.
    func text(_ name: String) -> String { text(fields(name).first) }

    func click(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        click(find(name), file: file, line: line)
    }

    func click(_ target: Widget?, file: StaticString = #filePath, line: UInt = #line) {
        guard let target else { return XCTFail("nothing to click", file: file, line: line) }
        gtk_test_widget_wait_for_draw(widget)
        tap(target)
        settle()
    }

    /// Presses the key of the notice once it is visible.
    func undo() {
        let notice = descendants(of: widget).first { cgtk_instance_is_a($0, gtk_revealer_get_type()) != 0 }
        waitUntil("it has come up") {
            notice.map { gtk_revealer_get_child_revealed($0.cast()) != 0 } ?? false
        }
        click("Undo")
    }

    /// The items of the open menu.
    var menu: [String] {
        (gtk_grab_get_current().map { descendants(of: $0) } ?? []).filter {
            cgtk_instance_is_a($0, gtk_menu_item_get_type()) != 0
        }.compactMap { gtk_menu_item_get_label($0.cast()).map { String(cString: $0) } }
    }

    /// Activates an item of the open menu.
    func choose(_ label: String, file: StaticString = #filePath, line: UInt = #line) {
        let items = gtk_grab_get_current().map { descendants(of: $0) } ?? []
        guard
            let item = items.first(where: {
                cgtk_instance_is_a($0, gtk_menu_item_get_type()) != 0
                    && gtk_menu_item_get_label($0.cast()).map { String(cString: $0) } == label
            })
        else { return XCTFail("nothing to choose", file: file, line: line) }
        gtk_menu_shell_activate_item(gtk_widget_get_parent(item).cast(), item, 1)
        settle()
    }

    /// The name of the focused widget.
    var focusedName: String? { gtk_window_get_focus(widget.cast()).flatMap { accessibleName(of: $0) } }

    /// Replaces the text of a field by typing.
    func fill(_ field: Widget?, _ text: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let field else { return XCTFail("no field", file: file, line: line) }
        gtk_widget_grab_focus(field)
        gtk_entry_set_text(field.cast(), text)
    }
}
