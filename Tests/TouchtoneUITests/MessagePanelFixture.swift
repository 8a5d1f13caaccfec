// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The panel in its own window on the test screen, with a service and a store controlled by the test.
@MainActor
final class MessagePanelFixture: WorkedIn {
    let widget: Widget
    let service = FakeChatService()
    let store = MemoryMessageStore()
    let wall = FixedWallClock()
    let transfers = FakeFileTransfers()
    let files = MemoryFileStorage()
    let voice = FakeVoiceDevice()
    /// The clock of voice messages.
    let voiceClock = ManualScheduler()
    let chat: Chat
    let messenger: Messenger
    let settings: Settings
    let panel: MessagePanel
    let side: SidePanel
    let navigator = RecordingNavigator()
    private let style: Style
    private let names = CountedNames()

    nonisolated static let grace = ChatAddress("grace@example.org")
    nonisolated static let edsger = ChatAddress("edsger@example.org")

    /// Shows the panel with the given contents of the store.
    init(
        width: gint = 430, height: gint = 640, isRightToLeft: Bool = false, state: AccountState = .online,
        clock: any Scheduler = MainLoopScheduler(),
        fill: @MainActor (MemoryMessageStore) throws -> Void = { _ in }
    ) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        settings[text: "my-messages-side"] = "left"
        for key in ["stamp-lines", "message-styling"] { settings.reset(key) }
        style = try Style(resources: resources)
        try fill(store)
        let (names, wall) = (names, wall)
        chat = Chat(
            store: store,
            services: [
                service,
                OperatorService(
                    clock: MainLoopScheduler(), wall: wall,
                    names: { MainActor.assumeIsolated { names.next() } },
                    timeText: { LocaleStamps().time($0) }),
            ], clock: MainLoopScheduler(), wall: wall, names: { MainActor.assumeIsolated { names.next() } },
            files: FileDependencies(transfers: transfers, storage: files) { true })
        messenger = Messenger(chat)
        service.tell(.state(state))
        widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        if isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
        panel = try MessagePanel(
            resources: resources, messenger: messenger, account: nil, settings: settings,
            voice: VoiceMessages(
                device: voice, calls: CallManager(sounds: FakeTones(), clock: voiceClock), clock: voiceClock),
            wall: wall, clock: clock)
        panel.navigator = navigator
        side = try SidePanel(resources: resources, clock: MainLoopScheduler(), goBack: {})
        side.add(.messages) { [panel] in panel }
        widget.set(style: "touchtone", true)
        gtk_window_set_default_size(widget.cast(), width, height)
        gtk_container_add(widget.cast(), side.widget)
        // As the phone's window does.
        Signal.connectEvent(widget, "key-press-event") { [side] in side.keyComes($0.pointee.key) }
        side.isInView = true
        movePointerAway()
        gtk_widget_show(widget)
        gtk_test_widget_wait_for_draw(widget)
        focus()
        waitUntil("the panel is built") { list(localized("Buddies")) != nil }
        settle()
    }

    /// Closes the window.
    func clear() {
        for button: UInt32 in 1...3 { cxtest_button(button, false) }
        gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
        gtk_widget_destroy(widget)
        handleEvents()
    }

    /// Waits until all changes are stored, reported and drawn.
    func settle() {
        let isKept = Variable(false)
        chat.whenKept { isKept.value = true }
        waitUntil("all is kept") { isKept.value }
        waitUntilIdle(rounds: 6)
        gtk_test_widget_wait_for_draw(widget)
    }
}

// MARK: - Events

extension MessagePanelFixture {
    /// Adds available buddies: Grace online, Edsger away.
    func meet() {
        service.tell(
            .buddies(
                [
                    BuddyRecord(Self.grace, name: "Grace", tellsMe: true, toldByMe: true),
                    BuddyRecord(Self.edsger, name: "Edsger", tellsMe: true, toldByMe: true),
                ], version: "1"))
        service.tell(.presence(Self.grace, device: "desk", DevicePresence(.online)))
        service.tell(.presence(Self.edsger, device: "phone", DevicePresence(.away, status: "at lunch")))
        waitUntil("the buddies are listed") { rows(localized("Buddies")).count == 3 }
        settle()
    }

    /// Delivers a message.
    func come(_ text: String, from buddy: ChatAddress = grace, at milliseconds: Int64? = nil) {
        service.tell(
            .updates([
                .received(
                    ReceivedMessage(
                        buddy: buddy, sender: .buddy, text: text,
                        time: milliseconds.map { ChatTime(milliseconds: $0) } ?? wall.now, name: names.next())
                )
            ]))
    }

    /// The names of the sent messages, in order.
    var sent: [String] {
        service.calls.compactMap { if case .send(_, let name) = $0 { name } else { nil } }
    }

    /// Opens a conversation.
    func open(_ buddy: ChatAddress = grace) {
        chat.select(buddy)
        settle()
    }
}

// MARK: - Visible content

extension MessagePanelFixture {
    /// The current time as displayed in rows.
    var time: String { LocaleStamps().time(wall.now) }

    /// The message field.
    var field: Widget? { find("Message", ATK_ROLE_TEXT) }

    /// The text of the message field.
    var fieldText: String {
        guard let field else { return "no field" }
        let buffer = gtk_text_view_get_buffer(field.cast())
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Returns the balloon of the message whose row name starts with a text.
    func balloon(_ name: String) -> Widget? {
        row("Conversation", name).flatMap { row in
            descendants(of: row).first {
                gtk_style_context_has_class(gtk_widget_get_style_context($0), "balloon") != 0
            }
        }
    }

    /// Whether a balloon is at the left of its row.
    func isAtLeft(_ name: String) -> Bool? {
        guard let row = row("Conversation", name), let balloon = balloon(name) else { return nil }
        return left(of: balloon, in: row) * 2 + gtk_widget_get_allocated_width(balloon)
            < gtk_widget_get_allocated_width(row)
    }

    /// Returns the number of visible pictures in a row.
    func pictures(in row: Widget) -> Int {
        descendants(of: row).count {
            cgtk_instance_is_a($0, gtk_drawing_area_get_type()) != 0 && gtk_widget_is_visible($0) != 0
        }
    }

    /// Returns the height of the visible part of a list.
    func viewHeight(of list: Widget) -> gint { gtk_widget_get_allocated_height(gtk_widget_get_parent(list)) }

    /// Returns how many pixels of a row are below the visible part of its list; nil if the row is not built.
    func hidden(below name: String, in list: Widget) -> gint? {
        guard let row = row("Conversation", name), let view = gtk_widget_get_parent(list) else { return nil }
        var bottom: gint = 0
        gtk_widget_translate_coordinates(
            row, view, 0, gtk_widget_get_allocated_height(row), nil, &bottom)
        return max(0, bottom - viewHeight(of: list))
    }

    /// Returns the number of lines in a balloon.
    func lines(of balloon: Widget) -> gint {
        let label = descendants(of: balloon).first { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
        return label.map { pango_layout_get_line_count(gtk_label_get_layout($0.cast())) } ?? 0
    }

    /// Returns the height of a balloon with the given number of lines.
    func height(ofLines lines: gint, in balloon: Widget) -> gint {
        let label = descendants(of: balloon).first { cgtk_instance_is_a($0, gtk_label_get_type()) != 0 }
        var height: gint = 0
        pango_layout_get_pixel_size(gtk_label_get_layout(label?.cast()), nil, &height)
        return height + 15
    }

    /// The height of a balloon of one line.
    var oneLine: gint { balloon("Grace, \(time): ok").map { height(ofLines: 1, in: $0) } ?? 0 }
}
