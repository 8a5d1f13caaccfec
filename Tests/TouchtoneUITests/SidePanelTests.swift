// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import CXTest
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the panel's header and pages.
final class SidePanelTests: GtkTestCase {
    func testPageIsBuiltWhenFirstShown() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            XCTAssertEqual(fixture.made, [.messages])
            fixture.click("Calls page")
            XCTAssertEqual(fixture.made, [.messages, .calls])
            XCTAssertEqual(fixture.title, "CALLS")
            XCTAssertEqual(fixture.seen, ["calls body", "calls key"])
            fixture.click("Messages page")
            XCTAssertEqual(fixture.made, [.messages, .calls], "it is kept")
            XCTAssertEqual(fixture.seen, ["messages body", "messages key"])
            fixture.clear()
        }
    }

    func testSinglePageHasNoSwitcher() throws {
        try onMainActor {
            let fixture = try SidePanelFixture(pages: [.messages])
            handleEvents()
            XCTAssertNil(fixture.button("Messages page"))
            fixture.clear()
        }
    }

    func testPageKnowsWhetherItIsVisible() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let messages = try XCTUnwrap(fixture.pages[.messages])
            XCTAssertFalse(messages.isInView)
            fixture.panel.isInView = true
            XCTAssert(messages.isInView)
            fixture.panel.show(.calls)
            XCTAssertFalse(messages.isInView)
            XCTAssert(try XCTUnwrap(fixture.pages[.calls]).isInView)
            fixture.panel.isInView = false
            XCTAssertFalse(try XCTUnwrap(fixture.pages[.calls]).isInView)
            fixture.clear()
        }
    }

    func testTitleChangesAreShown() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            fixture.panel.show(.calls)
            fixture.pages[.messages]?.title = "BUDDIES — 1 ONLINE"
            XCTAssertEqual(fixture.title, "CALLS")
            fixture.pages[.calls]?.title = "CALLS — 2 MISSED"
            XCTAssertEqual(fixture.title, "CALLS — 2 MISSED")
            fixture.clear()
        }
    }

    func testPageKeyShowsUnseenItems() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            fixture.panel.show(waiting: 2, description: "2 missed", on: .calls)
            let key = try XCTUnwrap(fixture.button("Calls page"))
            XCTAssertEqual(fixture.description(of: key), "2 missed")
            XCTAssertEqual(fixture.labels(in: key), ["CALLS", "2"])
            fixture.panel.show(waiting: 0, description: "0 missed", on: .calls)
            XCTAssertEqual(fixture.description(of: key), "")
            XCTAssertEqual(fixture.labels(in: key), ["CALLS"])
            fixture.clear()
        }
    }

    func testKeyboardMovesBetweenPages() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            gtk_widget_grab_focus(try XCTUnwrap(fixture.button("Messages page")))
            fixture.type(GDK_KEY_Right)
            XCTAssertNotEqual(gtk_widget_has_focus(fixture.button("Calls page")), 0)
            fixture.type(GDK_KEY_space)
            XCTAssertEqual(fixture.panel.shown, .calls)
            fixture.clear()
        }
    }
}

/// Tests of the notices at the bottom of the panel.
final class ToastTests: GtkTestCase {
    func testNoticeClosesAutomatically() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let gone = Variable(0)
            fixture.panel.toast.show("Call deleted.", verb: "Undo", gone: { gone.value += 1 }) {
                XCTFail("nobody pressed it")
            }
            XCTAssertEqual(fixture.notices, ["Call deleted."])
            fixture.clock.advance(by: Toast.time - .milliseconds(1))
            XCTAssertEqual(gone.value, 0)
            fixture.clock.advance(by: .milliseconds(1))
            XCTAssertEqual(gone.value, 1)
            XCTAssertEqual(fixture.notices, [])
            fixture.clear()
        }
    }

    func testNoticeKeyUndoesWithoutPurging() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let undone = Variable(0)
            fixture.panel.toast.show("Call deleted.", verb: "Undo", gone: { XCTFail("it was undone") }) {
                undone.value += 1
            }
            fixture.waitForNotice()
            fixture.click("Undo")
            XCTAssertEqual(undone.value, 1)
            XCTAssertEqual(fixture.notices, [])
            fixture.clock.advance(by: .seconds(60))
            fixture.clear()
        }
    }

    func testControlZUndoesAndEscapeAndCrossClose() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            gtk_widget_grab_focus(try XCTUnwrap(fixture.button("messages key")))
            let (gone, undone) = (Variable(0), Variable(0))
            let show = { @MainActor in
                fixture.panel.toast.show("Gone.", verb: "Undo", gone: { gone.value += 1 }) {
                    undone.value += 1
                }
                fixture.waitForNotice()
            }
            show()
            fixture.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual([gone.value, undone.value], [0, 1])
            show()
            fixture.type(GDK_KEY_Escape)
            XCTAssertEqual([gone.value, undone.value], [1, 1])
            show()
            fixture.click("Close notice")
            XCTAssertEqual([gone.value, undone.value], [2, 1])
            // Escape acts on the page again.
            fixture.type(GDK_KEY_Escape)
            XCTAssertEqual(fixture.pages[.messages]?.keys.last, guint(GDK_KEY_Escape))
            fixture.clear()
        }
    }

    func testNoticeWithoutKeyIsReplaced() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let gone = Variable<[String]>([])
            fixture.panel.toast.show("One.", gone: { gone.value.append("one") })
            fixture.panel.toast.show("Two.", gone: { gone.value.append("two") })
            XCTAssertEqual(gone.value, ["one"])
            XCTAssertEqual(fixture.notices, ["Two."])
            fixture.clock.advance(by: Toast.time)
            XCTAssertEqual(gone.value, ["one", "two"])
            fixture.clear()
        }
    }

    func testNoticeWithKeyStaysForItsTime() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let toast = fixture.panel.toast
            let told = Variable<[String]>([])
            @MainActor func show(_ name: String) {
                toast.show(
                    "\(name).", verb: "Undo", gone: { told.value.append("\(name) gone") },
                    action: { told.value.append("\(name) undone") })
            }
            show("A")
            fixture.clock.advance(by: .seconds(9))
            show("B")
            toast.show("Written.")
            XCTAssertEqual(fixture.notices, ["A.", "B.", "Written."])
            XCTAssertEqual(told.value, [])
            fixture.clock.advance(by: .seconds(1))
            XCTAssertEqual(fixture.notices, ["B.", "Written."])
            XCTAssertEqual(told.value, ["A gone"])
            // The shortcut undoes the newest action that can be undone.
            XCTAssertTrue(toast.act())
            XCTAssertEqual(told.value, ["A gone", "B undone"])
            XCTAssertFalse(toast.act())
            // The oldest of the notices that do not fit wait, and then stay for their whole time.
            for name in ["C", "D", "E", "F"] { show(name) }
            XCTAssertEqual(fixture.notices, ["D.", "E.", "F."])
            toast.dismiss()
            XCTAssertEqual(fixture.notices, ["C.", "D.", "E."])
            show("G")
            fixture.clock.advance(by: Toast.time)
            XCTAssertEqual(fixture.notices, ["C."])
            XCTAssertEqual(Array(told.value.dropFirst(2)), ["F gone", "D gone", "E gone", "G gone"])
            fixture.waitForNotice()
            fixture.click("Undo")
            XCTAssertEqual(told.value.last, "C undone")
            XCTAssertEqual(fixture.notices, [])
            fixture.clear()
        }
    }

    func testCoveredNoticesAreUnreachable() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            let told = Variable<[String]>([])
            fixture.panel.toast.show(
                "Grace was deleted.", verb: "Undo", gone: { told.value.append("gone") },
                action: { told.value.append("undone") })
            let held = descendants(of: fixture.widget).map {
                GObjectRef(retaining: gtk_widget_get_accessible($0))
            }
            XCTAssertTrue(HeldAccessibles.texts(held).contains { $0.contains("Grace") })
            fixture.panel.toast.isCovered = true
            XCTAssertEqual(fixture.notices, [])
            XCTAssertFalse(HeldAccessibles.texts(held).contains { $0.contains("Grace") })
            XCTAssertFalse(fixture.panel.toast.act())
            fixture.clock.advance(by: Toast.time + Toast.time)
            XCTAssertEqual(told.value, [])
            fixture.panel.toast.isCovered = false
            XCTAssertEqual(fixture.notices, ["Grace was deleted."])
            fixture.clock.advance(by: Toast.time)
            XCTAssertEqual(told.value, ["gone"])
            fixture.clear()
        }
    }

    func testNoticeStaysWhileInUse() throws {
        try onMainActor {
            let fixture = try SidePanelFixture()
            fixture.panel.toast.show("Call deleted.", verb: "Undo") {}
            handleEvents()
            gtk_widget_grab_focus(try XCTUnwrap(fixture.button("Undo")))
            fixture.clock.advance(by: Toast.time)
            XCTAssertEqual(fixture.notices, ["Call deleted."])
            gtk_widget_grab_focus(try XCTUnwrap(fixture.button("messages key")))
            fixture.clock.advance(by: Toast.time)
            XCTAssertEqual(fixture.notices, [])
            fixture.clear()
        }
    }

    func testNoticesLieBelowPage() throws {
        try onMainActor {
            defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
            for (direction, width) in [
                (GTK_TEXT_DIR_LTR, 300), (GTK_TEXT_DIR_RTL, 300), (GTK_TEXT_DIR_LTR, 900),
            ] {
                gtk_widget_set_default_direction(direction)
                let fixture = try SidePanelFixture(width: gint(width))
                let page = try XCTUnwrap(fixture.pages[.messages]).widget
                let height = gtk_widget_get_allocated_height(page)
                for name in ["One", "Two", "Three", "Four"] {
                    fixture.panel.toast.show("\(name) was deleted.", verb: "Undo", action: {})
                }
                fixture.waitForNotice()
                let tops = fixture.noticeWidgets.map { fixture.top(of: $0) }
                XCTAssertEqual(tops.count, Toast.maximum)
                let end = fixture.top(of: page) + gtk_widget_get_allocated_height(page)
                XCTAssert(tops.allSatisfy { $0 >= end }, "\(tops) below \(end)")
                XCTAssertEqual(gtk_widget_get_allocated_height(fixture.widget), 500)
                fixture.panel.toast.close()
                gtk_test_widget_wait_for_draw(fixture.widget)
                XCTAssertEqual(gtk_widget_get_allocated_height(page), height)
                fixture.clear()
            }
        }
    }

    func testLongTextWrapsInNarrowPanel() throws {
        try onMainActor {
            let fixture = try SidePanelFixture(width: 300)
            fixture.panel.toast.show(
                String(repeating: "The calls could not be written to the file. ", count: 4), verb: "Undo"
            ) {}
            handleEvents()
            XCTAssertEqual(gtk_widget_get_allocated_width(fixture.widget), 300)
            fixture.clear()
        }
    }
}

/// A panel of pages that show their names.
@MainActor
private final class SidePanelFixture: WorkedIn {
    let widget: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let clock = ManualScheduler()
    let panel: SidePanel
    private(set) var pages: [PanelPageName: FakePage] = [:]
    private(set) var made: [PanelPageName] = []
    private let style: Style

    init(pages: [PanelPageName] = [.messages, .calls], width: gint = 406) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        style = try Style(resources: resources)
        panel = try SidePanel(resources: resources, clock: clock, goBack: {})
        widget.set(style: "touchtone", true)
        gtk_window_set_default_size(widget.cast(), width, 500)
        gtk_container_add(widget.cast(), panel.widget)
        for name in pages {
            panel.add(name) { [weak self] in
                let page = FakePage(name)
                self?.made.append(name)
                self?.pages[name] = page
                return page
            }
        }
        movePointerAway()
        gtk_widget_show(widget)
        gtk_test_widget_wait_for_draw(widget)
        focus()
        if pages.count > 1 { waitUntil("the keys are there") { button("Calls page") != nil } }
        gtk_test_widget_wait_for_draw(widget)
    }

    func clear() {
        panel.close()
        gtk_widget_destroy(widget)
        handleEvents()
    }

    func click(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let key = button(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        tap(key)
    }

    var title: String {
        descendants(of: widget).first {
            gtk_style_context_has_class(gtk_widget_get_style_context($0), "panel-title") != 0
        }?.text ?? "no title"
    }

    /// The visible content of the pages.
    var seen: [String] {
        descendants(of: widget).filter { gtk_widget_is_visible($0) != 0 }.compactMap {
            accessibleName(of: $0)
        }.filter {
            $0.hasSuffix(" body") || $0.hasSuffix(" key")
        }.sorted()
    }

    /// Waits until a notice is fully visible.
    func waitForNotice() {
        waitUntil("the notice is there") {
            descendants(of: widget).contains {
                cgtk_instance_is_a($0, gtk_revealer_get_type()) != 0
                    && gtk_revealer_get_child_revealed($0.cast()) != 0
            }
        }
        gtk_test_widget_wait_for_draw(widget)
    }

    /// The accessible texts of the visible notices.
    var notices: [String] { noticeWidgets.compactMap { accessibleName(of: $0) } }

    /// The visible notices.
    var noticeWidgets: [Widget] {
        descendants(of: widget).filter {
            atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_NOTIFICATION
                && gtk_widget_get_mapped($0) != 0
        }
    }

    /// Returns the top of a widget in the window.
    func top(of part: Widget) -> gint {
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(part, widget, 0, 0, &x, &y)
        return y
    }
}

/// A page that records its notifications.
@MainActor
private final class FakePage: PanelPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    let headerKeys: [UnsafeMutablePointer<GtkWidget>]
    var onTitle: (@MainActor () -> Void)?
    var title: String { didSet { onTitle?() } }
    private(set) var isInView = false
    private(set) var keys: [guint] = []

    init(_ name: PanelPageName) {
        title = name.rawValue.uppercased()
        let key = Widget.button("Key")
        cgtk_widget_set_accessible(key, "\(name.rawValue) key", nil)
        gtk_widget_show(key)
        headerKeys = [key]
        widget = .label("nothing")
        cgtk_widget_set_accessible(widget, "\(name.rawValue) body", nil)
    }

    func setShown(_ isShown: Bool) { isInView = isShown }

    func keyPressed(_ key: GdkEventKey) -> Bool {
        keys.append(key.keyval)
        return false
    }
}
