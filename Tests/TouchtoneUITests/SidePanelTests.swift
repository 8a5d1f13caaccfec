// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The panel's header, its pages, and the notices at its foot.
final class SidePanelTests: GtkTestCase {
    func testAPageIsMadeWhenItIsFirstShown() throws {
        try onMainActor {
            let desk = try SideDesk()
            XCTAssertEqual(desk.made, [.messages])
            desk.click("Calls page")
            XCTAssertEqual(desk.made, [.messages, .calls])
            XCTAssertEqual(desk.title, "CALLS")
            XCTAssertEqual(desk.seen, ["calls body", "calls key"])
            desk.click("Messages page")
            XCTAssertEqual(desk.made, [.messages, .calls], "it is kept")
            XCTAssertEqual(desk.seen, ["messages body", "messages key"])
            desk.clear()
        }
    }

    func testOnePageAloneHasNoSwitch() throws {
        try onMainActor {
            let desk = try SideDesk(pages: [.messages])
            handleEvents()
            XCTAssertNil(desk.button("Messages page"))
            desk.clear()
        }
    }

    func testAPageKnowsWhetherItIsLookedAt() throws {
        try onMainActor {
            let desk = try SideDesk()
            let messages = try XCTUnwrap(desk.pages[.messages])
            XCTAssertFalse(messages.isLookedAt)
            desk.panel.isLookedAt = true
            XCTAssert(messages.isLookedAt)
            desk.panel.show(.calls)
            XCTAssertFalse(messages.isLookedAt)
            XCTAssert(try XCTUnwrap(desk.pages[.calls]).isLookedAt)
            desk.panel.isLookedAt = false
            XCTAssertFalse(try XCTUnwrap(desk.pages[.calls]).isLookedAt)
            desk.clear()
        }
    }

    func testATitleIsShownAsItChanges() throws {
        try onMainActor {
            let desk = try SideDesk()
            desk.panel.show(.calls)
            desk.pages[.messages]?.title = "BUDDIES — 1 ONLINE"
            XCTAssertEqual(desk.title, "CALLS")
            desk.pages[.calls]?.title = "CALLS — 2 MISSED"
            XCTAssertEqual(desk.title, "CALLS — 2 MISSED")
            desk.clear()
        }
    }

    func testTheKeyOfAPageTellsWhatWaits() throws {
        try onMainActor {
            let desk = try SideDesk()
            desk.panel.show(waiting: 2, words: "2 missed", on: .calls)
            let key = try XCTUnwrap(desk.button("Calls page"))
            XCTAssertEqual(desk.description(of: key), "2 missed")
            XCTAssertEqual(desk.labels(in: key), ["CALLS", "2"])
            desk.panel.show(waiting: 0, words: "0 missed", on: .calls)
            XCTAssertEqual(desk.description(of: key), "")
            XCTAssertEqual(desk.labels(in: key), ["CALLS"])
            desk.clear()
        }
    }

    func testTheKeyboardGoesFromPageToPage() throws {
        try onMainActor {
            let desk = try SideDesk()
            gtk_widget_grab_focus(try XCTUnwrap(desk.button("Messages page")))
            desk.type(GDK_KEY_Right)
            XCTAssertNotEqual(gtk_widget_has_focus(desk.button("Calls page")), 0)
            desk.type(GDK_KEY_space)
            XCTAssertEqual(desk.panel.shown, .calls)
            desk.clear()
        }
    }
}

/// The notices at the panel's foot.
final class ToastTests: GtkTestCase {
    func testItGoesByItself() throws {
        try onMainActor {
            let desk = try SideDesk()
            let gone = Variable(0)
            desk.panel.toast.show("Call deleted.", verb: "Undo", gone: { gone.value += 1 }) {
                XCTFail("nobody pressed it")
            }
            XCTAssertEqual(desk.notices, ["Call deleted."])
            desk.clock.pass(Toast.time - .milliseconds(1))
            XCTAssertEqual(gone.value, 0)
            desk.clock.pass(.milliseconds(1))
            XCTAssertEqual(gone.value, 1)
            XCTAssertEqual(desk.notices, [])
            desk.clear()
        }
    }

    func testItsKeyUndoesAndNothingIsForgotten() throws {
        try onMainActor {
            let desk = try SideDesk()
            let undone = Variable(0)
            desk.panel.toast.show("Call deleted.", verb: "Undo", gone: { XCTFail("it was undone") }) {
                undone.value += 1
            }
            desk.waitForNotice()
            desk.click("Undo")
            XCTAssertEqual(undone.value, 1)
            XCTAssertEqual(desk.notices, [])
            desk.clock.pass(.seconds(60))
            desk.clear()
        }
    }

    func testControlZUndoesAndEscapeAndTheCrossClose() throws {
        try onMainActor {
            let desk = try SideDesk()
            gtk_widget_grab_focus(try XCTUnwrap(desk.button("messages key")))
            let (gone, undone) = (Variable(0), Variable(0))
            let show = { @MainActor in
                desk.panel.toast.show("Gone.", verb: "Undo", gone: { gone.value += 1 }) { undone.value += 1 }
                desk.waitForNotice()
            }
            show()
            desk.type(GDK_KEY_z, with: Modifier.control)
            XCTAssertEqual([gone.value, undone.value], [0, 1])
            show()
            desk.type(GDK_KEY_Escape)
            XCTAssertEqual([gone.value, undone.value], [1, 1])
            show()
            desk.click("Close notice")
            XCTAssertEqual([gone.value, undone.value], [2, 1])
            // Escape is the page's again.
            desk.type(GDK_KEY_Escape)
            XCTAssertEqual(desk.pages[.messages]?.keys.last, guint(GDK_KEY_Escape))
            desk.clear()
        }
    }

    func testOneWithoutAKeyGivesWay() throws {
        try onMainActor {
            let desk = try SideDesk()
            let gone = Variable<[String]>([])
            desk.panel.toast.show("One.", gone: { gone.value.append("one") })
            desk.panel.toast.show("Two.", gone: { gone.value.append("two") })
            XCTAssertEqual(gone.value, ["one"])
            XCTAssertEqual(desk.notices, ["Two."])
            desk.clock.pass(Toast.time)
            XCTAssertEqual(gone.value, ["one", "two"])
            desk.clear()
        }
    }

    func testOneWithAKeyStaysForItsTimeWhateverComes() throws {
        try onMainActor {
            let desk = try SideDesk()
            let toast = desk.panel.toast
            let told = Variable<[String]>([])
            @MainActor func show(_ name: String) {
                toast.show(
                    "\(name).", verb: "Undo", gone: { told.value.append("\(name) gone") },
                    action: { told.value.append("\(name) undone") })
            }
            show("A")
            desk.clock.pass(.seconds(9))
            show("B")
            toast.show("Written.")
            XCTAssertEqual(desk.notices, ["A.", "B.", "Written."])
            XCTAssertEqual(told.value, [])
            desk.clock.pass(.seconds(1))
            XCTAssertEqual(desk.notices, ["B.", "Written."])
            XCTAssertEqual(told.value, ["A gone"])
            // The keyboard undoes the newest that can be undone.
            XCTAssertTrue(toast.act())
            XCTAssertEqual(told.value, ["A gone", "B undone"])
            XCTAssertFalse(toast.act())
            // Of more than are seen the oldest wait, and have their whole time after that.
            for name in ["C", "D", "E", "F"] { show(name) }
            XCTAssertEqual(desk.notices, ["D.", "E.", "F."])
            toast.dismiss()
            XCTAssertEqual(desk.notices, ["C.", "D.", "E."])
            show("G")
            desk.clock.pass(Toast.time)
            XCTAssertEqual(desk.notices, ["C."])
            XCTAssertEqual(Array(told.value.dropFirst(2)), ["F gone", "D gone", "E gone", "G gone"])
            desk.waitForNotice()
            desk.click("Undo")
            XCTAssertEqual(told.value.last, "C undone")
            XCTAssertEqual(desk.notices, [])
            desk.clear()
        }
    }

    func testNoticesAreOutOfReachWhileTheyAreCovered() throws {
        try onMainActor {
            let desk = try SideDesk()
            let told = Variable<[String]>([])
            desk.panel.toast.show(
                "Grace was deleted.", verb: "Undo", gone: { told.value.append("gone") },
                action: { told.value.append("undone") })
            let held = descendants(of: desk.widget).map {
                GObjectRef(retaining: gtk_widget_get_accessible($0))
            }
            XCTAssertTrue(Held.texts(held).contains { $0.contains("Grace") })
            desk.panel.toast.isCovered = true
            XCTAssertEqual(desk.notices, [])
            XCTAssertFalse(Held.texts(held).contains { $0.contains("Grace") })
            XCTAssertFalse(desk.panel.toast.act())
            desk.clock.pass(Toast.time + Toast.time)
            XCTAssertEqual(told.value, [])
            desk.panel.toast.isCovered = false
            XCTAssertEqual(desk.notices, ["Grace was deleted."])
            desk.clock.pass(Toast.time)
            XCTAssertEqual(told.value, ["gone"])
            desk.clear()
        }
    }

    func testItStaysWhileSomebodyIsAtIt() throws {
        try onMainActor {
            let desk = try SideDesk()
            desk.panel.toast.show("Call deleted.", verb: "Undo") {}
            handleEvents()
            gtk_widget_grab_focus(try XCTUnwrap(desk.button("Undo")))
            desk.clock.pass(Toast.time)
            XCTAssertEqual(desk.notices, ["Call deleted."])
            gtk_widget_grab_focus(try XCTUnwrap(desk.button("messages key")))
            desk.clock.pass(Toast.time)
            XCTAssertEqual(desk.notices, [])
            desk.clear()
        }
    }

    func testALongTextBreaksInANarrowPanel() throws {
        try onMainActor {
            let desk = try SideDesk(width: 300)
            desk.panel.toast.show(
                String(repeating: "The calls could not be written to the file. ", count: 4), verb: "Undo"
            ) {}
            handleEvents()
            XCTAssertEqual(gtk_widget_get_allocated_width(desk.widget), 300)
            desk.clear()
        }
    }
}

/// A panel of pages that show their names.
@MainActor
private final class SideDesk: WorkedIn {
    let widget: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let clock = HandClock()
    let panel: SidePanel
    private(set) var pages: [PanelPageName: NotingPage] = [:]
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
                let page = NotingPage(name)
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

    /// What is to be seen of the pages.
    var seen: [String] {
        descendants(of: widget).filter { gtk_widget_is_visible($0) != 0 }.compactMap {
            accessibleName(of: $0)
        }.filter {
            $0.hasSuffix(" body") || $0.hasSuffix(" key")
        }.sorted()
    }

    /// Waits until a notice has come up all the way.
    func waitForNotice() {
        waitUntil("the notice is there") {
            descendants(of: widget).contains {
                cgtk_instance_is_a($0, gtk_revealer_get_type()) != 0
                    && gtk_revealer_get_child_revealed($0.cast()) != 0
            }
        }
        gtk_test_widget_wait_for_draw(widget)
    }

    /// What assistive tools are told by notices that are to be seen.
    var notices: [String] {
        descendants(of: widget).filter {
            atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_NOTIFICATION
                && gtk_widget_get_mapped($0) != 0
        }.compactMap { accessibleName(of: $0) }
    }
}

/// A page that notes what it is told.
@MainActor
private final class NotingPage: PanelPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    let headerKeys: [UnsafeMutablePointer<GtkWidget>]
    var onTitle: (@MainActor () -> Void)?
    var title: String { didSet { onTitle?() } }
    private(set) var isLookedAt = false
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

    func setShown(_ isShown: Bool) { isLookedAt = isShown }

    func keyPressed(_ key: GdkEventKey) -> Bool {
        keys.append(key.keyval)
        return false
    }
}
