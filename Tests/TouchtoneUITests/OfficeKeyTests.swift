// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lamps of memory keys that watch an extension.
final class OfficeKeyTests: GtkTestCase {
    /// Returns an account that watches extensions.
    @MainActor
    private static func account(_ wanted: String..., states: [String: ExtensionState]) -> ScriptedLine {
        let line = ScriptedLine(id: "ada")
        line.address = "sip:ada@example.org"
        let office = FakeExtensions(wanted)
        office.states = states
        office.onChange = { [weak line] in line?.onEvent?(.stateChanged) }
        line.office = office
        return line
    }

    /// Returns a window with memory keys whose extensions are free, ring and are busy.
    @MainActor
    static func window(width: gint = 804) throws -> (PhoneWindowFixture, ScriptedLine) {
        let people = People(memory: [
            1: People.key("102", "Ada"), 3: People.key("5558675309"), 4: People.key("104", "Edsger"),
            5: People.key("105", "Home"), 7: People.key("999", "Barbara"),
        ])
        let fixture = try PhoneWindowFixture(width: width, directory: people.directory)
        let line = Self.account(
            "102", "5558675309", "104", "105",
            states: ["102": .free, "5558675309": .ringing, "104": .busy])
        fixture.lines.accounts = [line]
        return (fixture, line)
    }

    @MainActor
    private static func hasClass(_ widget: Widget, _ name: String) -> Bool {
        gtk_style_context_has_class(gtk_widget_get_style_context(widget), name) != 0
    }

    /// Returns the styles of the lamp on a key; nil if it has none in sight.
    @MainActor
    private static func lamp(_ name: String, in fixture: PhoneWindowFixture) -> Set<String>? {
        guard let key = fixture.find(name),
            let lamp = descendants(of: key).first(where: { Self.hasClass($0, "key-lamp") }),
            gtk_widget_get_mapped(lamp) != 0
        else { return nil }
        return Set(["free", "ringing", "busy"].filter { Self.hasClass(lamp, $0) })
    }

    func testLampsShowWhatExtensionsDo() throws {
        try onMainActor {
            let (fixture, line) = try Self.window()
            let places = (1...9).map { fixture.place(of: String($0)) }
            XCTAssertNil(Self.lamp("1", in: fixture))
            fixture.click("Memory")
            gtk_test_widget_wait_for_draw(fixture.widget)
            let names = [
                "1, Ada", "2, empty", "3, Grace Hopper", "4, Edsger", "5, Home", "6, empty", "7, Barbara",
                "8, empty", "9, empty",
            ]
            XCTAssertEqual(names.map { fixture.place(of: $0) }, places, "no key moves")
            XCTAssertEqual(
                names.map { Self.lamp($0, in: fixture) },
                [["free"], [], ["ringing"], ["busy"], [], [], [], [], []])
            // Nobody has to see colours.
            XCTAssertEqual(
                names.map { fixture.description(of: fixture.find($0)) },
                ["free", "", "ringing", "busy", "", "", "", "", ""])
            XCTAssertEqual(
                fixture.labels(in: fixture.find("3, Grace Hopper")), ["3", "RING", "Grace Hopper"])
            XCTAssertEqual(fixture.labels(in: fixture.find("4, Edsger")), ["4", "BUSY", "Edsger"])
            XCTAssertEqual(fixture.labels(in: fixture.find("1, Ada")), ["1", "Ada"])
            XCTAssert(
                names.allSatisfy { fixture.find($0).map { gtk_widget_get_tooltip_text($0) == nil } == true })
            line.office?.states = ["102": .busy]
            XCTAssertEqual(Self.lamp("1, Ada", in: fixture), ["busy"])
            XCTAssertEqual(Self.lamp("3, Grace Hopper", in: fixture), [])
            XCTAssertEqual(names.map { fixture.place(of: $0) }, places, "no key moves")
            fixture.type(GDK_KEY_Escape)
            XCTAssertNil(Self.lamp("1", in: fixture))
            XCTAssertEqual(fixture.description(of: fixture.find("1")), "")
            XCTAssertEqual(fixture.labels(in: fixture.find("3")), ["3", "DEF"])
            XCTAssertEqual((1...9).map { fixture.place(of: String($0)) }, places)
            fixture.clear()
        }
    }

    /// Returns the paper strip of a key.
    @MainActor
    private static func paper(of name: String, in fixture: PhoneWindowFixture) throws -> Widget {
        let key = try XCTUnwrap(fixture.find(name))
        return try XCTUnwrap(descendants(of: key).first { Self.hasClass($0, "strip-paper") })
    }

    /// The end of a number tells more than its area code.
    func testLongNumberIsCutAtItsStart() throws {
        try onMainActor {
            let people = People(memory: [1: People.key("5559990000"), 3: People.key("5558675309")])
            let fixture = try PhoneWindowFixture(directory: people.directory)
            fixture.click("Memory")
            gtk_test_widget_wait_for_draw(fixture.widget)
            let cuts = try ["1, (555) 999-0000", "3, Grace Hopper"].map {
                gtk_label_get_ellipsize(try Self.paper(of: $0, in: fixture).cast())
            }
            XCTAssertEqual(cuts, [PANGO_ELLIPSIZE_START, PANGO_ELLIPSIZE_END])
            fixture.clear()
        }
    }

    /// Returns the place and the size of a part of a key without its margin, from the key's corner.
    @MainActor
    private static func place(of part: Widget, on key: Widget, in fixture: PhoneWindowFixture) -> [gint] {
        let (inner, outer) = (fixture.frame(of: part), fixture.frame(of: key))
        let context = gtk_widget_get_style_context(part)
        var margin = GtkBorder()
        gtk_style_context_get_margin(context, gtk_style_context_get_state(context), &margin)
        return [
            inner[0] - outer[0] + gint(margin.left), inner[1] - outer[1] + gint(margin.top),
            inner[2] - gint(margin.left + margin.right), inner[3] - gint(margin.top + margin.bottom),
        ]
    }

    func testStripsHaveTheirPlaces() throws {
        try onMainActor {
            let (fixture, _) = try Self.window()
            setAnimations(false)
            defer {
                gtk_settings_get_default().map { gtk_settings_reset_property($0, "gtk-enable-animations") }
            }
            fixture.click("Memory")
            gtk_test_widget_wait_for_draw(fixture.widget)
            for name in ["4, Edsger", "8, empty"] {
                let key = try XCTUnwrap(fixture.find(name))
                let size = fixture.frame(of: key)
                let paper = Self.place(of: try Self.paper(of: name, in: fixture), on: key, in: fixture)
                // The key has an edge of a pixel, in which the distance from the sides begins.
                XCTAssertEqual(paper[0], 7)
                XCTAssertEqual(paper[2], size[2] - 14)
                XCTAssertEqual(paper[3], 22)
                XCTAssertGreaterThan(paper[1], size[3] / 2 - 6, "it is in the lower half")
                XCTAssertLessThan(paper[1] + paper[3], size[3] - 4)
                let lamp = try XCTUnwrap(descendants(of: key).first { Self.hasClass($0, "key-lamp") })
                let place = Self.place(of: lamp, on: key, in: fixture)
                XCTAssertEqual([place[0], place[2], place[3]], [12, 8, 8])
            }
            fixture.clear()
        }
    }

    func testStripsSlideOnceWhereTheDesktopWantsMotion() throws {
        try onMainActor {
            let (fixture, line) = try Self.window()
            defer {
                gtk_settings_get_default().map { gtk_settings_reset_property($0, "gtk-enable-animations") }
            }
            setAnimations(false)
            fixture.act("memory")
            let paper = try Self.paper(of: "4, Edsger", in: fixture)
            let opacities = Opacities(of: paper)
            for isAnimated in [true, false] {
                fixture.type(GDK_KEY_Escape)
                setAnimations(isAnimated)
                opacities.seen = []
                fixture.act("memory")
                waitUntil("it is at its place") { gtk_widget_get_opacity(paper) == 1 }
                XCTAssertEqual(opacities.seen.contains { $0 < 1 }, isAnimated)
                opacities.seen = []
                line.office?.states["104"] = isAnimated ? .free : .busy
                fixture.settle()
                XCTAssertEqual(opacities.seen, [], "only the lamp changes")
            }
            fixture.clear()
        }
    }

    func testLampOfAnExtensionThatRingsFlashes() throws {
        try onMainActor {
            let (fixture, line) = try Self.window()
            @MainActor func isDark() -> Bool {
                descendants(of: fixture.widget).contains { Self.hasClass($0, "dark-lamps") }
            }
            XCTAssertFalse(isDark())
            fixture.click("Memory")
            waitUntil("it goes out") { isDark() }
            waitUntil("it shines") { !isDark() }
            waitUntil("it goes out again") { isDark() }
            line.office?.states["5558675309"] = .free
            XCTAssertFalse(isDark(), "none rings")
            line.office?.states["5558675309"] = .ringing
            waitUntil("it goes out") { isDark() }
            fixture.type(GDK_KEY_Escape)
            XCTAssertFalse(isDark())
            fixture.clear()
        }
    }

    func testKeyCallsOrPicksUp() throws {
        try onMainActor {
            let (fixture, line) = try Self.window()
            fixture.click("Memory")
            fixture.type("1")
            XCTAssertEqual(line.calls.map(\.remote.number.text), ["102"])
            fixture.phone.hangUp()
            let call = ScriptedCall(
                RemoteParty(DialledNumber("5558675309") ?? DialledNumber()), ScriptedCall.everything,
                refusesHold: false)
            line.office?.begin = { _ in call }
            fixture.click("Memory")
            fixture.click("3, Grace Hopper")
            XCTAssertEqual(line.calls.count, 1, "nobody is called")
            call.onEvent?(.answered)
            XCTAssertEqual(fixture.phone.calls.current?.state, .connected)
            fixture.phone.hangUp()
            line.office?.begin = nil
            fixture.click("Memory")
            fixture.type("3")
            XCTAssertEqual(fixture.status, "NO PICKUP")
            XCTAssertEqual(line.calls.count, 1)
            fixture.clear()
        }
    }

    /// Where the letters stand beside the digits, the word stands before the name.
    func testWordsFitOnLowKeys() throws {
        try onMainActor {
            let (fixture, _) = try Self.window(width: 360)
            for height: gint in [420, 460, 500, 540, 580, 620, 660, 720, 900] {
                gtk_window_resize(fixture.window.window, 360, height)
                waitUntil("the keys have their places") {
                    let before = fixture.place(of: "9")
                    fixture.settle()
                    return fixture.place(of: "9") == before
                }
                let places = (1...9).map { fixture.place(of: String($0)) }
                fixture.click("Memory")
                gtk_test_widget_wait_for_draw(fixture.widget)
                let key = fixture.find("4, Edsger")
                XCTAssert(
                    [["4", "BUSY", "Edsger"], ["4", "BUSY Edsger"]].contains(fixture.labels(in: key)),
                    "\(fixture.labels(in: key))")
                let names = ["1, Ada", "2, empty", "3, Grace Hopper", "4, Edsger"]
                XCTAssertEqual(
                    names.map { fixture.place(of: $0) }, Array(places[..<4]), "no key moves at \(height)")
                fixture.type(GDK_KEY_Escape)
            }
            fixture.clear()
        }
    }

    /// The start of an address tells more than its end.
    func testAddressOnAKeyIsShownWatchedAndPickedUp() throws {
        try onMainActor {
            let anna = MemoryKey(try XCTUnwrap(CallTarget(kept: "sip:anna@office.example")))
            let fixture = try PhoneWindowFixture(directory: People(memory: [1: anna]).directory)
            let line = Self.account("sip:anna@office.example", states: ["sip:anna@office.example": .free])
            fixture.lines.accounts = [line]
            fixture.click("Memory")
            gtk_test_widget_wait_for_draw(fixture.widget)
            let name = "1, anna@office.example"
            XCTAssertEqual(Self.lamp(name, in: fixture), ["free"])
            XCTAssertEqual(fixture.description(of: fixture.find(name)), "free")
            XCTAssertEqual(
                gtk_label_get_ellipsize(try Self.paper(of: name, in: fixture).cast()), PANGO_ELLIPSIZE_END)
            fixture.click(name)
            XCTAssertEqual(line.calls.map(\.remote.address), ["sip:anna@office.example"])
            fixture.phone.hangUp()
            line.office?.states = ["sip:anna@office.example": .ringing]
            let call = ScriptedCall(anna.target.remote, ScriptedCall.everything, refusesHold: false)
            line.office?.begin = { _ in call }
            fixture.click("Memory")
            XCTAssertEqual(Self.lamp(name, in: fixture), ["ringing"])
            fixture.type("1")
            XCTAssertEqual(line.calls.count, 1, "nobody is called")
            call.onEvent?(.answered)
            XCTAssertEqual(fixture.phone.calls.current?.state, .connected)
            fixture.clear()
        }
    }

    func testAddressIsStoredAndWatchedOnTheMemoryPage() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            let (ada, lines) = (Self.account(states: [:]), LineRegistry(fallback: fixture.line))
            fixture.phone.lineForAddresses = { ada }
            fixture.phone.officeKeys = OfficeKeys(lines: lines, contacts: fixture.people.book) { _ in false }
            lines.accounts = [ada]
            fixture.page.showMemory()
            fixture.settle()
            fixture.phone.paste("sip:anna@office.example?Replaces=x")
            fixture.click("Memory key 2, empty")
            fixture.choose("Store anna@office.example")
            waitUntil("it is kept") { fixture.find("Memory key 2, anna@office.example") != nil }
            fixture.click("Memory key 2, anna@office.example")
            fixture.choose("Watch Extension")
            XCTAssertEqual(ada.office?.wanted.map(\.kept), ["sip:anna@office.example"])
            ada.office?.states = ["sip:anna@office.example": .ringing]
            fixture.click("Memory key 2, anna@office.example, ringing")
            fixture.choose("Pick Up")
            XCTAssertEqual(fixture.navigator.notes, ["call kept sip:anna@office.example"])
            fixture.page.focus()
            fixture.type(GDK_KEY_Escape)
            fixture.settle()
            // A contact's SIP address can be put on a key, too.
            fixture.click(fixture.row("Ada"))
            fixture.click("Memory key for sip:ada@example.org")
            fixture.choose("4  empty")
            waitUntil("it is kept") { fixture.people.store.memory[4]?.name == "Ada Lovelace" }
            waitUntil("it is seen") { fixture.labels.contains("SIP · MEM 4") }
            XCTAssertEqual(fixture.people.store.memory[4]?.target.kept, "sip:ada@example.org")
            fixture.clear()
        }
    }

    func testExtensionIsChosenOnTheMemoryPage() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture(memory: [3: People.key("102", "Grace")])
            let (ada, bob) = (Self.account(states: ["102": .ringing]), ScriptedLine(id: "bob"))
            let lines = LineRegistry(fallback: fixture.line)
            fixture.phone.officeKeys = OfficeKeys(lines: lines, contacts: fixture.people.book) { _ in false }
            fixture.page.showMemory()
            fixture.settle()
            lines.accounts = [ada]
            fixture.click("Memory key 3, Grace, 102")
            fixture.choose("Watch Extension")
            XCTAssertEqual(ada.office?.wanted.map(\.kept), ["102"])
            XCTAssertNotNil(fixture.find("Memory key 3, Grace, 102, ringing"))
            XCTAssert(fixture.labels.contains("102 · ringing"))
            bob.address = "sip:bob@example.org"
            bob.office = FakeExtensions([])
            lines.accounts = [ada, bob]
            fixture.click("Memory key 3, Grace, 102, ringing")
            fixture.choose("Watch Extension on bob@example.org")
            XCTAssertEqual(ada.office?.wanted.count, 0)
            XCTAssertEqual(bob.office?.wanted.map(\.kept), ["102"])
            fixture.click("Memory key 3, Grace, 102")
            fixture.choose("Do Not Watch")
            XCTAssertEqual(bob.office?.wanted.count, 0)
            fixture.click("Memory key 3, Grace, 102")
            fixture.choose("Call")
            XCTAssertEqual(fixture.navigator.notes, ["call kept 102"])
            ada.office?.setWanted(true, .number(DialledNumber("102") ?? DialledNumber()))
            fixture.click("Memory key 3, Grace, 102, ringing")
            fixture.choose("Pick Up")
            XCTAssertEqual(fixture.navigator.notes, ["call kept 102", "call kept 102"])
            fixture.clear()
        }
    }
}

/// The opacities that a widget gets.
@MainActor
private final class Opacities {
    var seen: [Double] = []

    init(of widget: Widget) {
        Signal.connectNotify(widget, "notify::opacity") { [weak self] in
            self?.seen.append(gtk_widget_get_opacity(widget))
        }
    }
}
