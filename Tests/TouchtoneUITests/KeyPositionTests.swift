// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that the place of every key depends on the keys alone: no text that the phone shows moves one.
///
/// A key that moved under a resting pointer would make the next click press a different key, such as DIAL instead of
/// DEL.
final class KeyPositionTests: GtkTestCase {
    override func tearDown() {
        onMainActor {
            setTextScale(1)
            setAnimations(true)
            gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
        }
        super.tearDown()
    }

    func testNoTextMovesKey() throws { try onMainActor { try check(textScale: 1) } }

    func testNoTextMovesKeyWithLargeText() throws { try onMainActor { try check(textScale: 2) } }

    func testQuietPhoneFitsNarrowestWindow() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(panel: false)
            var (loud, quiet, natural): (gint, gint, gint) = (0, 0, 0)
            gtk_widget_get_preferred_width(fixture.widget, &loud, &natural)
            fixture.window.quiet.show(isOn: true, isOnHere: true)
            gtk_widget_get_preferred_width(fixture.widget, &quiet, &natural)
            XCTAssertNotNil(fixture.find("Do Not Disturb"))
            XCTAssertEqual(quiet, loud)
            fixture.clear()
        }
    }

    func testWindowIsAsNarrowWithLargeText() throws {
        try onMainActor {
            for textScale: gint in [1, 2] {
                setTextScale(textScale)
                for panel in [false, true] {
                    let fixture = try PhoneWindowFixture(width: 360, panel: panel)
                    if panel {
                        // The page of the panel is built when it is first shown.
                        fixture.act("panel")
                        waitUntil("the panel is built") {
                            descendants(of: fixture.widget).contains { accessibleName(of: $0) == "Buddies" }
                        }
                    }
                    gtk_test_widget_wait_for_draw(fixture.widget)
                    XCTAssertLessThanOrEqual(
                        fixture.minimumWidth, 360,
                        "text \(textScale)x, \(panel ? "with" : "without") the panel")
                    fixture.clear()
                }
            }
        }
    }

    func testKeysFitNarrowestWindow() throws {
        try onMainActor {
            for textScale: gint in [1, 2] {
                setTextScale(textScale)
                let fixture = try PhoneWindowFixture(panel: false)
                var (least, natural): (gint, gint) = (0, 0)
                gtk_widget_get_preferred_width(fixture.set, &least, &natural)
                XCTAssertEqual([least, natural], [360, 360], "text \(textScale)x")
                fixture.clear()
            }
        }
    }
}

@MainActor
private func check(textScale: gint) throws {
    setTextScale(textScale)
    setAnimations(false)
    for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
        gtk_widget_set_default_direction(direction)
        let fixture = try PhoneWindowFixture(directory: People(ShownTexts.people).directory)
        let line = fixture.talkingLine()
        var sizes: [String: [gint]]?
        for width: gint in [360, 480, 779, 900, 1200] {
            fixture.resize(to: width)
            let watch = LayoutWatch(
                fixture,
                "\(direction == GTK_TEXT_DIR_RTL ? "right to left" : "left to right"), \(width) pixels")
            // Beside the panel, the keys have the same size in a window of any width.
            let found = watch.layout.keys.mapValues { Array($0.suffix(2)) }
            XCTAssertEqual(found.count, 18)
            if !fixture.window.panel.folding.isFolded {
                XCTAssertEqual(found, sizes ?? found)
                sizes = found
            }
            // Most texts are tested at the width at which the panel just fits beside the phone, and some at others.
            let step = width == 779 ? TestLength.cases(4, long: 1) : TestLength.cases(18, long: 9)
            watch.showTexts(step: step)
            watch.goThroughCalls(line, step: min(3, step))
            XCTAssertEqual(watch.failures.prefix(4), [])
        }
        fixture.clear()
    }
}

/// The texts that the display may show, and longer ones.
private enum ShownTexts {
    /// A letter of each script, in the order of the names' numbers.
    static let scripts = ["W", "Ж", "ش", "語", "👩‍👩‍👧‍👦", "གྷྲྀ", "e\u{301}\u{302}\u{303}\u{323}"]

    static let people = scripts.enumerated().map { index, letter in
        NewContact(
            ContactCard(
                name: String(repeating: letter, count: 200),
                methods: [ContactMethod(.number, "555020\(index)")]))
    }

    /// A number of each length, in each of the formats.
    @MainActor static let numbers: [String] = {
        let formatter = TouchtoneCore.NumberFormatter()
        var texts: [String] = []
        for count in 0...DialledNumber.capacity {
            let text = String(repeating: "8", count: count)
            for number in [text, "+44\(text)", "\(text)*", "\(text),#;"] {
                texts.append(DialledNumber(number).map { formatter.string(for: $0) } ?? number)
            }
            // Digits grouped by spaces and dashes, as in a numbering plan.
            texts.append(String(text.enumerated().flatMap { $0 % 3 == 2 ? [$1, " "] : [$1] }))
            texts.append(String(text.enumerated().flatMap { $0 % 2 == 1 ? [$1, "-"] : [$1] }))
        }
        return texts
    }()

    /// Names of each length up to 200, each length in one script and some lengths in all scripts.
    static let names: [String] =
        (1...200).map { String(repeating: scripts[$0 % scripts.count], count: $0) }
        + scripts.flatMap { letter in
            [1, 2, 19, 20, 21, 64, 200].map { String(repeating: letter, count: $0) }
        }

    /// The three longest states of the display in each language.
    @MainActor static let translations: [String] = {
        var texts: [String] = []
        for language in (try? TestLocale.languages) ?? [] {
            try? TestLocale.run(language: language) {
                texts += PhoneStatus.examples.map(\.text).sorted { $0.count > $1.count }.prefix(3)
            }
        }
        return texts
    }()

    static let lines = ["", "HOME LINE", "PRACTICE"] + scripts.map { String(repeating: $0, count: 200) }
}

/// A comparison of a phone's layout with its original.
@MainActor
private final class LayoutWatch {
    private(set) var layout: KeyLayout
    private(set) var failures: [String] = []
    private let fixture: PhoneWindowFixture
    private let circumstances: String
    private var keys: [ShownKey]

    init(_ fixture: PhoneWindowFixture, _ circumstances: String) {
        (self.fixture, self.circumstances) = (fixture, circumstances)
        keys = ShownKey.all(of: fixture)
        layout = KeyLayout(of: fixture, keys)
    }

    /// Shows one text of each kind.
    func showTexts(step: Int) {
        func some<Text>(_ texts: [Text]) -> [Text] {
            stride(from: Int.random(in: 0..<min(step, texts.count)), to: texts.count, by: step).map {
                texts[$0]
            }
        }
        let display = fixture.window.display
        for text in some(ShownTexts.numbers + ShownTexts.names) {
            display.show(number: text)
            check(text)
        }
        for text in some(ShownTexts.names) {
            display.show(number: text, areWords: true)
            display.show(caption: text)
            check("\(text) as a name")
        }
        display.show(number: "")
        display.show(caption: "")
        for text in some(PhoneStatus.examples.map(\.text) + ShownTexts.names.suffix(50))
            + ShownTexts.translations
        {
            display.show(status: text)
            check(text)
        }
        display.show(status: "")
        for text in ShownTexts.lines {
            display.show(line: text)
            check(text)
        }
        display.show(line: fixture.phone.lineName)
    }

    /// Goes through an outgoing call, an incoming one beside it, both joined, the card, and back; with the longest
    /// names.
    func goThroughCalls(_ line: ScriptedLine, step: Int) {
        let calls = fixture.phone.calls
        for index in stride(from: 0, to: ShownTexts.scripts.count, by: step) {
            line.offer("555020\(index)")
            see("an incoming call")
            calls.answer()
            see("an answered call")
            for text in ShownTexts.names.suffix(9) {
                fixture.window.display.show(number: text)
                fixture.window.display.show(status: text)
                check("\(text) in a call")
            }
            line.offer("555020\(ShownTexts.scripts.count - 1 - index)")
            see("a call that waits")
            calls.decline()
            calls.flash()
            see("a call that is put aside")
            fixture.phone.paste("5551234")
            fixture.phone.dial()
            line.calls.last?.onEvent?(.answered)
            see("two calls")
            calls.join()
            see("joined calls")
            calls.hangUpAll()
            see("no call")
            fixture.phone.paste("5550100;9")
            fixture.phone.dial()
            line.calls.last?.onEvent?(.answered)
            see("keys to send")
            calls.hangUp()
            fixture.phone.dial()
            line.calls.last?.onEvent?(.ended(.busy))
            see("busy")
            calls.hangUp()
            fixture.phone.clear()
            line.offer("555020\(index)")
            calls.answer()
            fixture.window.call.toggleKeypad()
            see("the card")
            fixture.unfoldQuality()
            let long = String(repeating: "W", count: 200)
            line.calls.last?.onEvent?(
                .quality(CallQuality(codec: long, encryption: long, loss: 100, jitter: 9e9, roundTrip: 9e9)))
            see("the quality")
            calls.hangUp()
            see("no call any more")
        }
    }

    /// Records the layout again, because the set of keys may have changed.
    private func see(_ what: String) {
        handleEvents()
        keys = ShownKey.all(of: fixture)
        check(what)
    }

    private func check(_ what: String) {
        let now = KeyLayout(of: fixture, keys)
        guard now != layout else { return }
        for (place, before) in layout.keys {
            // The card replaces the digits.
            guard let after = now.keys[place], after != before else { continue }
            failures.append("\(circumstances): \(what.prefix(50)) moves \(place) from \(before) to \(after)")
        }
        if now.window != layout.window {
            failures.append("\(circumstances): \(what.prefix(50)) changes \(layout.window) to \(now.window)")
        }
    }
}

/// A visible key, and the name of its place.
@MainActor
private struct ShownKey {
    let widget: Widget
    let place: String

    private static let places: [[String]] =
        (0...9).map { ["\($0)"] } + [
            ["star"], ["pound"], ["Delete", "Keypad", "Decline", "Send"], ["Dial", "Hang up", "Answer"],
            ["Redial", "Flash"], ["Memory", "Mute"], ["Messages", "Hold"], ["Lock", "Speaker"],
        ]

    /// Returns the keys of the phone, followed by those of the second line, which have the same names.
    static func all(of fixture: PhoneWindowFixture) -> [ShownKey] {
        var found: [ShownKey] = []
        for widget in fixture.set.map(descendants) ?? [] {
            guard cgtk_instance_is_a(widget, gtk_button_get_type()) != 0, gtk_widget_is_visible(widget) != 0,
                let name = accessibleName(of: widget),
                let place = places.first(where: { $0.contains(name) })?[0],
                !found.contains(where: { $0.place == place })
            else { continue }
            found.append(ShownKey(widget: widget, place: place))
        }
        return found
    }
}

/// The places of the keys, and the sizes that determine them.
@MainActor
private struct KeyLayout: Equatable {
    /// The place and the size of each key.
    var keys: [String: [gint]] = [:]
    /// The window's minimum width, the phone's natural and actual widths, and whether the panel is open and folded.
    let window: [gint]

    init(of fixture: PhoneWindowFixture, _ shown: [ShownKey]) {
        let window = fixture.widget
        // The resize requests of a changed text, and those of the text fitting in turn.
        for _ in 0..<2 { gtk_container_check_resize(window.cast()) }
        for key in shown {
            var (x, y): (gint, gint) = (0, 0)
            gtk_widget_translate_coordinates(key.widget, window, 0, 0, &x, &y)
            let (width, height) = (
                gtk_widget_get_allocated_width(key.widget), gtk_widget_get_allocated_height(key.widget)
            )
            keys[key.place] = [x, y, width, height]
        }
        var (least, natural): (gint, gint) = (0, 0)
        gtk_widget_get_preferred_width(window, &least, nil)
        // The leaflet decides by this whether there is room for the panel beside it.
        gtk_widget_get_preferred_width(fixture.set, nil, &natural)
        let folding = fixture.window.panel.folding
        self.window = [
            least, natural, gtk_widget_get_allocated_width(window), folding.isOpen ? 1 : 0,
            folding.isFolded ? 1 : 0,
        ]
    }
}

extension PhoneWindowFixture {
    /// The container of the display and the keys.
    var set: Widget? {
        gtk_widget_get_parent(window.display.widget).flatMap(gtk_widget_get_parent)
    }

    /// Unfolds the quality of the call on the card.
    fileprivate func unfoldQuality() {
        let expander = descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_expander_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
        if let expander {
            gtk_expander_set_expanded(expander.cast(), 1)
        } else {
            XCTFail("the card has no quality")
        }
    }

    /// The minimum width of the window's content; the frame that GTK draws around it is shadow.
    var minimumWidth: gint {
        var minimum: gint = 0
        gtk_widget_get_preferred_width(gtk_bin_get_child(widget.cast()), &minimum, nil)
        return minimum
    }

    /// Resizes the window to the given width, or to the least that its keys need.
    fileprivate func resize(to width: gint) {
        let window = window.window
        // The window is high enough for everything, so that only its width changes.
        gtk_window_resize(window, width, 1000)
        let wanted = max(width, minimumWidth)
        waitUntil("the window is \(wanted) pixels wide") {
            gtk_widget_get_allocated_width(gtk_bin_get_child(window.cast())) == wanted
        }
        gtk_test_widget_wait_for_draw(widget)
    }
}

/// Sets the desktop's text scale.
@MainActor
func setTextScale(_ scale: gint) { set("gtk-xft-dpi", to: scale * 96 * 1024) }

/// Turns GTK's animations on or off.
@MainActor
func setAnimations(_ isOn: Bool) {
    gtk_settings_get_default().map { cgtk_settings_set_flag($0, "gtk-enable-animations", isOn ? 1 : 0) }
}

@MainActor
private func set(_ property: String, to number: gint) {
    var value = GValue()
    g_value_init(&value, g_type_from_name("gint"))
    g_value_set_int(&value, number)
    defer { g_value_unset(&value) }
    gtk_settings_get_default().map { g_object_set_property($0.cast(), property, &value) }
}
