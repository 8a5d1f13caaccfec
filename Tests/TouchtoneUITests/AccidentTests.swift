// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Random sequences of what a user and the network do, after each of which nothing has been dialled, entered or revealed
/// by accident.
///
/// `TOUCHTONE_ACCIDENTS=100` runs a hundred longer sequences with new seeds; `TOUCHTONE_ACCIDENT_SEED=7` runs one again.
final class AccidentTests: GtkTestCase {
    func testNobodyIsDialledByAccident() throws {
        try onMainActor {
            for seed in Accidents.seeds {
                print("accidents: seed \(seed)")
                let hand = try RandomHand(seed: seed)
                for step in 0..<Accidents.steps where hand.isInnocent { hand.act(step) }
                hand.clear()
            }
        }
    }

    func testSecretIsInNoOtherField() throws {
        try onMainActor {
            for seed in Accidents.seeds {
                print("accidents in Preferences: seed \(seed)")
                var random = SplitMix64(seed: seed)
                let telephone = FakeTelephone(
                    TelephoneAccount(id: "id-0", address: "sip:ada@example.org", state: .connecting))
                let page = [PreferencesPageName.messages, .lines][Int(seed % 2)]
                let fixture = try PreferencesFixture(page: page, telephone: telephone)
                for step in 0..<Accidents.steps {
                    fixture.actInPreferences(using: &random)
                    let found = revealing("zq", in: fixture.widget)
                    XCTAssertEqual(found, [], "seed \(seed), step \(step)")
                }
                fixture.clear()
            }
        }
    }
}

/// The length of the tests.
private enum Accidents {
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["TOUCHTONE_ACCIDENT_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        guard let count = environment["TOUCHTONE_ACCIDENTS"].flatMap({ Int($0) }) else { return [1, 2] }
        return (0..<count).map { _ in .random(in: 1000...UInt64.max) }
    }()

    static let steps = ProcessInfo.processInfo.environment["TOUCHTONE_ACCIDENTS"] == nil ? 80 : 300
}

/// Returns the visible or accessible texts that contain a secret.
@MainActor
private func revealing(_ secret: String, in window: Widget) -> [String] {
    descendants(of: window).flatMap { widget -> [String] in
        let accessible = gtk_widget_get_accessible(widget)
        var texts = [atk_object_get_name(accessible), atk_object_get_description(accessible)]
            .compactMap { $0.map { String(cString: $0) } }
        if cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 { texts.append(widget.text) }
        if let tip = gtk_widget_get_tooltip_text(widget) {
            texts.append(String(cString: tip))
            g_free(tip)
        }
        if cgtk_instance_is_a(widget, gtk_entry_get_type()) != 0, gtk_entry_get_visibility(widget.cast()) != 0
        {
            texts.append(String(cString: gtk_entry_get_text(widget.cast())))
        }
        // What a screen reader reads of a field that hides its text.
        if cgtk_instance_is_a(accessible, atk_text_get_type()) != 0,
            let text = atk_text_get_text(OpaquePointer(accessible), 0, -1)
        {
            texts.append(String(cString: text))
            g_free(text)
        }
        return texts.filter { $0.contains(secret) }
    }
}

extension PreferencesFixture {
    /// Does one thing that a user may do, and types the secret only where the focus is in a field that hides it.
    fileprivate func actInPreferences(using random: inout SplitMix64) {
        let focus = gtk_window_get_focus(widget.cast())
        let isSecret = focus.map {
            cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 && gtk_entry_get_visibility($0.cast()) == 0
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: type(GDK_KEY_Tab)
        case 2: type(GDK_KEY_Tab, with: Modifier.shift)
        case 3:
            type(
                [GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Home, GDK_KEY_End].randomElement(using: &random)
                    ?? GDK_KEY_Up)
        case 4: type("a")
        case 5:
            let fields = descendants(of: widget).filter { $0.takesText && gtk_widget_get_mapped($0) != 0 }
            gtk_widget_grab_focus(fields.randomElement(using: &random))
            handleEvents()
        default: if isSecret == true { type("zq") } else { type(GDK_KEY_Tab) }
        }
    }
}

/// A line that notes what is dialled.
@MainActor
private final class WitnessLine: Line {
    let id = "witness"
    let label = "WITNESS"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?
    private(set) var dialled: [String] = []
    private(set) var calls: [ScriptedCall] = []

    func dial(_ remote: RemoteParty) -> any LineCall {
        dialled.append(remote.number.text)
        return make(remote)
    }

    func offer(_ number: String) {
        onEvent?(.incoming(make(RemoteParty(DialledNumber(number) ?? DialledNumber()))))
    }

    private func make(_ remote: RemoteParty) -> ScriptedCall {
        let call = ScriptedCall(remote, refusesHold: false)
        calls.append(call)
        return call
    }
}

/// A user who does anything, and a network on which anything happens.
@MainActor
private final class RandomHand {
    private let fixture: PhoneWindowFixture
    private let line = WitnessLine()
    private let seed: UInt64
    private var random: SplitMix64
    /// Whether all has been as it should be: after a failure, more of them would tell nothing.
    private(set) var isInnocent = true
    /// The last things done, for the report.
    private var history: [String] = []
    /// Whether the number on the display was dialled and not entered since, so that a key begins another one; nil if the
    /// same number may have been entered again.
    private var isSpent: Bool? = false

    /// No other text or number has a 9.
    private static let passcode = "9090"
    private static let numbers = ["5550123", "+442071234567", "2125551234", "#31#5550100", "18003569377"]

    init(seed: UInt64) throws {
        (self.seed, random) = (seed, SplitMix64(seed: seed))
        fixture = try PhoneWindowFixture(
            width: seed % 2 == 0 ? 804 : 380, passcode: Self.passcode, directory: People().directory)
        fixture.phone.line = line
        fixture.lines.add(line)
        unlock()
    }

    func clear() { fixture.clear() }

    /// Does one thing, and checks what it may have done.
    func act(_ step: Int) {
        let (number, dialled) = (fixture.phone.number.text, line.dialled.count)
        let shown = digits(of: fixture.display)
        let takesKeys = fixture.phone.takesKeysForNumber
        let goesElsewhere = fixture.window.panel.side.hasFocus || focus?.takesText == true
        let (fields, focused) = (fieldTexts, focus)
        let deed = deeds.randomElement(using: &random) ?? .wait
        history.append("\(step): \(deed)")
        perform(deed)
        handleEvents()
        let report = "seed \(seed): " + history.suffix(12).joined(separator: ", ")
        // What is dialled is what was shown, and only where dialling was asked for.
        for text in line.dialled.dropFirst(dialled) {
            expect(deed.mayDial(goesElsewhere: goesElsewhere), "dialled; \(report)")
            expect(digits(of: text) == shown, "\(text) instead of \(shown); \(report)")
        }
        expect(line.dialled.count - dialled <= 1, report)
        // Digits go where they were typed.
        if deed.isTyping, goesElsewhere {
            expect(
                fixture.phone.number.text == number,
                "\(number) has become \(fixture.phone.number.text); \(report)")
        }
        if !deed.mayEnter {
            expect(
                fixture.phone.number.text == number,
                "\(number) has become \(fixture.phone.number.text); \(report)")
        }
        if deed.isTyping {
            let changed = fieldTexts.filter { field, text in fields[field].map { $0 != text } ?? false }.keys
            let allowed = changed.count <= 1 && (goesElsewhere || changed.isEmpty)
            expect(allowed, "\(changed.count) fields have changed; \(report)")
            // A panel passes what its other widgets do not take to the field of its page.
            let isField = focused?.takesText == true
            expect(!isField || changed.allSatisfy { $0 == focused }, "another field has changed; \(report)")
        }
        if let key = deed.character, takesKeys, !(deed.isTyping && goesElsewhere) {
            check(key, after: number, report)
        }
        noteUse(of: deed, before: number, hasDialled: line.dialled.count > dialled)
        // What DIAL would dial is in the large line.
        if fixture.phone.dialKey == .dial {
            expect(
                digits(of: fixture.display) == digits(of: fixture.phone.number.text),
                "\(fixture.display) for \(fixture.phone.number.text); \(report)")
        }
        // The caller whom ANSWER would answer is, too.
        if fixture.phone.dialKey == .answer {
            let caller = digits(of: fixture.phone.calls.incoming?.remote.number.text ?? "")
            let large = digits(of: fixture.display)
            expect(large.isEmpty || large == caller, "\(large) above ANSWER; \(report)")
        }
        let found = revealing(Self.passcode, in: fixture.widget)
        expect(found.isEmpty, "\(found); \(report)")
    }

    private func expect(_ holds: Bool, _ report: String, line: UInt = #line) {
        guard !holds else { return }
        isInnocent = false
        XCTFail(report, line: line)
    }

    /// Checks the number after a key of the phone: it begins a new one after a call, and is appended otherwise.
    private func check(_ key: Character, after number: String, _ report: String) {
        let appended = key == "+" && !number.isEmpty || number.count == 40 ? number : number + String(key)
        var allowed = isSpent.map { $0 ? [String(key)] : [appended] } ?? [String(key), appended]
        // A popover may have taken it, or the key is out of sight.
        allowed.append(number)
        let now = fixture.phone.number.text
        expect(allowed.contains(now), "\(number) and \(key) is \(now), not \(allowed); \(report)")
    }

    private func noteUse(of deed: Deed, before number: String, hasDialled: Bool) {
        if hasDialled {
            isSpent = line.dialled.last == fixture.phone.number.text
        } else if fixture.phone.number.text != number {
            isSpent = false
        } else if deed.mayEnterSame, isSpent == true {
            isSpent = nil
        }
    }

    /// The texts of the fields that can be seen.
    private var fieldTexts: [Widget: String] {
        descendants(of: fixture.widget).reduce(into: [:]) { texts, widget in
            guard cgtk_instance_is_a(widget, gtk_entry_get_type()) != 0, gtk_widget_get_mapped(widget) != 0
            else { return }
            texts[widget] = String(cString: gtk_entry_get_text(widget.cast()))
        }
    }

    private var focus: Widget? { gtk_window_get_focus(fixture.widget.cast()) }

    private func digits(of text: String) -> String {
        String(text.filter { $0.isNumber || "+*#,;".contains($0) })
    }
}

extension Phone {
    /// Whether the keypad enters the number to dial, and neither acts on a call nor chooses a memory key.
    fileprivate var takesKeysForNumber: Bool {
        let isInCall = !calls.isTakingNumber && calls.current?.state.isLive == true
        return !isInCall && dialKey != .answer && memoryQuestion == nil
    }
}

// MARK: - Deeds

extension RandomHand {
    /// An action of the user, or an event of the network.
    private enum Deed {
        case wait, type(gint), click(String), open(PanelPageName), phone, panel, paste(String), link(String)
        case focusSomething, answer(Int), end(CallEndReason), offer(String), lock, dial, copy

        /// Whether text is typed.
        var isTyping: Bool { if case .type = self { true } else { false } }

        /// The character that the key of the phone enters; nil for other deeds.
        var character: Character? {
            switch self {
            case .type(let key):
                Unicode.Scalar(UInt32(key)).flatMap { Self.phonewords[Character($0)] }
            case .click(let name): name == "star" ? "*" : name.count == 1 ? name.first : nil
            default: nil
            }
        }

        /// The characters of the keyboard's keys.
        private static let phonewords: [Character: Character] = [
            "0": "0", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8",
            "+": "+", "a": "2", "e": "3", "i": "4", "m": "6", "q": "7", "u": "8",
        ]

        /// Whether this may enter the number that is on the display already.
        var mayEnterSame: Bool {
            switch self {
            case .paste, .link: true
            case .click(let name): name == "Redial"
            default: false
            }
        }

        /// Whether this may start a call.
        func mayDial(goesElsewhere: Bool) -> Bool {
            switch self {
            case .type(let key):
                [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space].contains(key) && !goesElsewhere
            case .click(let name): name == "Dial"
            case .dial: true
            default: false
            }
        }

        /// Whether this may change the number to dial.
        var mayEnter: Bool {
            switch self {
            case .type, .click, .paste, .link, .dial, .end: true
            default: false
            }
        }
    }

    private var deeds: [Deed] {
        let keys: [gint] =
            (0...8).map { GDK_KEY_0 + $0 } + (0..<6).map { GDK_KEY_a + 4 * $0 }
            + [
                GDK_KEY_plus, GDK_KEY_BackSpace, GDK_KEY_Return, GDK_KEY_Return, GDK_KEY_Return,
                GDK_KEY_Escape,
                GDK_KEY_Tab,
                GDK_KEY_Tab, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_space, GDK_KEY_KP_Enter,
            ]
        let names = [
            "1", "5", "0", "star", "Delete", "Dial", "Dial", "Redial", "Hang up", "Messages", "Flash", "Hold",
        ]
        return keys.map { .type($0) } + names.map { .click($0) } + PanelPageName.allCases.map { .open($0) }
            + Self.numbers.prefix(3).map { .paste($0) } + [.paste("call me"), .paste("1-800-FLOWERS")]
            + ["tel:+442071234567", "tel:5550123", "tel:", "sip:ada@example.org", "callto:5550123"].map {
                .link($0)
            }
            + [
                .phone, .phone, .panel, .focusSomething, .focusSomething, .answer(0), .answer(1), .wait,
                .copy,
            ]
            + [CallEndReason.hungUp, .busy, .handedOver(to: "Calls")].map { .end($0) }
            + ["5550102", "4475"].map { .offer($0) } + [.lock, .dial]
    }

    private func perform(_ deed: Deed) {
        switch deed {
        case .wait: gtk_test_widget_wait_for_draw(fixture.widget)
        case .type(let key): fixture.type(key)
        case .click(let name):
            if let key = fixture.shown(name), gtk_widget_get_sensitive(key) != 0 { fixture.tap(key) }
        case .open(let page): fixture.act(page.rawValue)
        case .phone: fixture.act("phone")
        case .panel: fixture.act("panel")
        case .copy: fixture.act("copy")
        case .paste(let text): fixture.phone.paste(text)
        case .link(let uri): fixture.phone.open(link: uri)
        case .focusSomething:
            let all = descendants(of: fixture.widget).filter {
                gtk_widget_get_mapped($0) != 0 && gtk_widget_get_can_focus($0) != 0
            }
            gtk_widget_grab_focus(all.randomElement(using: &random))
        case .answer(let index):
            if index < line.calls.count { line.calls[line.calls.count - 1 - index].onEvent?(.answered) }
        case .end(let reason): line.calls.randomElement(using: &random)?.onEvent?(.ended(reason))
        case .offer(let number): line.offer(number)
        case .lock:
            guard fixture.lock.lock() else { return }
            handleEvents()
            // With a modifier, a digit is no digit of the passcode.
            for modifier in [Modifier.control, GDK_KEY_Alt_L, GDK_KEY_Super_L] {
                fixture.type(GDK_KEY_9, with: modifier)
            }
            unlock()
        case .dial: fixture.phone.dial()
        }
    }

    private func unlock() {
        fixture.type(Self.passcode)
        waitUntil("the phone is open") { !fixture.lock.isLocked }
        handleEvents()
    }
}
