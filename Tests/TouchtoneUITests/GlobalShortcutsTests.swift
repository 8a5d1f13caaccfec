// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the shortcuts of the whole desktop, with a portal on a bus of the test's own.
final class GlobalShortcutsTests: GtkTestCase {
    func testShortcutsAnswerMuteAndHangUpAndNeverDial() throws {
        try onMainActor {
            let fixture = try ShortcutsFixture(passcode: "1234")
            fixture.settings[flag: GlobalShortcuts.key] = true
            fixture.shortcuts.begin()
            waitUntil("they are bound") { fixture.text == "Answer: Ctrl+Alt+A · Mute: Ctrl+Alt+M" }
            XCTAssertEqual(fixture.portal.bound, ["answer", "hang-up", "mute"])
            XCTAssertEqual(fixture.portal.registered, [Resources.applicationID])
            fixture.window.phone.paste("5551234")
            fixture.window.lock.lock()
            // The locked phone is answered, muted and hung up all the same.
            for id in ["answer", "hang-up", "mute", "dial", ""] { fixture.portal.press(id) }
            fixture.portal.change(["mute": "F9"])
            waitUntil("they have arrived") { fixture.text == "Mute: F9" }
            fixture.line.offer("5550104")
            fixture.portal.press("answer")
            waitUntil("the call is answered") { fixture.calls.current?.state == .connected }
            XCTAssertEqual(fixture.line.calls.count, 1, "nothing was dialled")
            fixture.portal.press("mute")
            waitUntil("it is muted") { fixture.line.calls[0].isMuted }
            fixture.portal.press("hang-up")
            waitUntil("it is hung up") { fixture.calls.calls.isEmpty }
            fixture.end()
        }
    }

    func testOnlyOwnSessionOfThePortalCounts() throws {
        try onMainActor {
            let fixture = try ShortcutsFixture()
            fixture.settings[flag: GlobalShortcuts.key] = true
            fixture.shortcuts.begin()
            waitUntil("they are bound") { fixture.text.contains("Ctrl+Alt+A") }
            fixture.line.offer("5550104")
            fixture.portal.press("answer", in: "/org/freedesktop/portal/desktop/session/x/other")
            fixture.portal.change(["mute": "F9", "answer": ""])
            waitUntil("the keys have changed") { fixture.text == "Mute: F9" }
            XCTAssertNotNil(fixture.calls.incoming)
            fixture.settings[flag: GlobalShortcuts.key] = false
            waitUntil("they are off") { fixture.text.hasPrefix("Answer, hang up and mute") }
            fixture.portal.press("answer")
            fixture.line.offer("5550105")
            XCTAssertEqual(fixture.calls.calls.map(\.state), [.incoming, .incoming])
            fixture.end()
        }
    }

    func testRefusalIsSaidAndNotAskedAgain() throws {
        try onMainActor {
            for manner in [ShortcutsPortal.Manner.cancels, .refuses, .answersAnything] {
                let fixture = try ShortcutsFixture(manner)
                fixture.settings[flag: GlobalShortcuts.key] = true
                fixture.shortcuts.begin()
                waitUntil("it is refused") { fixture.text == "The desktop does not allow this" }
                XCTAssertFalse(fixture.settings[flag: GlobalShortcuts.key])
                fixture.end()
            }
        }
    }

    func testTheyEndWithPortal() throws {
        try onMainActor {
            let fixture = try ShortcutsFixture()
            fixture.settings[flag: GlobalShortcuts.key] = true
            fixture.shortcuts.begin()
            waitUntil("they are bound") { fixture.text.contains("Ctrl+Alt+A") }
            fixture.portal.leave()
            waitUntil("they are not offered any more") { !fixture.shortcuts.isOffered }
            XCTAssert(fixture.settings[flag: GlobalShortcuts.key], "the next portal is asked again")
            fixture.end()
        }
    }

    func testTheyAreOfferedOnlyWithPortal() throws {
        try onMainActor {
            let fixture = try ShortcutsFixture()
            fixture.shortcuts.begin()
            XCTAssertFalse(fixture.shortcuts.isOffered)
            fixture.shortcuts.look()
            waitUntil("they are offered") { fixture.shortcuts.isOffered }
            XCTAssertEqual(fixture.portal.bound, [], "nobody is asked before they are turned on")
            fixture.end()
            let without = try ShortcutsFixture(.isMissing)
            without.settings[flag: GlobalShortcuts.key] = true
            without.shortcuts.begin()
            waitUntil("the bus has answered") { without.portal.registered.count == 1 }
            MainLoop.run(upTo: 100) { without.shortcuts.isOffered }
            XCTAssertFalse(without.shortcuts.isOffered)
            without.end()
        }
    }
}

/// A phone whose shortcuts come from a portal of the test's own.
@MainActor
private final class ShortcutsFixture {
    let window: PhoneWindowFixture
    let line: ScriptedLine
    let portal: ShortcutsPortal
    let shortcuts: GlobalShortcuts
    private let bus: PrivateBus

    var settings: Settings { window.settings }
    var calls: CallManager { window.phone.calls }
    var text: String { shortcuts.text }

    init(_ manner: ShortcutsPortal.Manner = .binds, passcode: String? = nil) throws {
        bus = try PrivateBus()
        window = try PhoneWindowFixture(passcode: passcode)
        if let passcode {
            let lock = window.lock
            window.type(passcode)
            MainLoop.run(upTo: 60_000) { !lock.isLocked }
        }
        line = window.talkingLine()
        let phone = bus.phone
        portal = try ShortcutsPortal(manner, for: phone)
        window.settings.reset(GlobalShortcuts.key)
        shortcuts = GlobalShortcuts(
            phone: window.phone, settings: window.settings,
            portal: GlobalShortcutsPortal(
                application: Resources.applicationID, service: portal.name,
                connect: { () async throws(GLibError) in phone }))
    }

    func end() {
        settings.reset(GlobalShortcuts.key)
        window.clear()
        bus.end()
    }
}

/// A portal that binds shortcuts, or does not.
@MainActor
private final class ShortcutsPortal {
    enum Manner { case binds, cancels, refuses, answersAnything, isMissing }

    private static let path = "/org/freedesktop/portal/desktop"

    private let manner: Manner
    private var bus: DBusConnection?
    /// The phone's name, as the paths of its requests have it.
    private let caller: String
    private var exports: [DBusExport] = []
    private var requests: [DBusExport] = []
    private(set) var bound: [String] = []
    private(set) var registered: [String] = []
    private let session = "\(path)/session/x/calls"

    let name: String

    init(_ manner: Manner, for phone: DBusConnection) throws {
        self.manner = manner
        caller = String(phone.uniqueName.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 })
        let bus = try DBusConnection.connectPrivatelyAndWait(to: .system)
        (self.bus, name) = (bus, bus.uniqueName)
        exports.append(
            try bus.export(Self.registry, at: Self.path) { [weak self] (_, values) throws(DBusError) in
                if let id = values[0]?.string { self?.registered.append(id) }
                return []
            })
        guard manner != .isMissing else { return }
        exports.append(
            try bus.export(
                Self.shortcuts, at: Self.path, property: { $0 == "version" ? .uint32(1) : nil },
                answering: { [weak self] (method, values) throws(DBusError) in
                    guard let self else { return [] }
                    return try answer(method, values)
                }))
    }

    /// Ends the portal.
    func leave() { (bus, exports, requests) = (nil, [], []) }

    func press(_ id: String, in session: String? = nil) {
        exports.last?.emit(
            "Activated", [.objectPath(session ?? self.session), .string(id), .uint64(1), .dictionary([])])
    }

    func change(_ keys: [String: String]) {
        exports.last?.emit("ShortcutsChanged", [.objectPath(session), Self.list(keys)])
    }

    private func answer(_ method: String, _ values: Variant) throws(DBusError) -> [Variant] {
        guard manner != .refuses else { throw DBusError("org.freedesktop.portal.Error.NotAllowed", "no") }
        let options = values[method == "CreateSession" ? 0 : 3]
        let token = options?.children.first { $0[0]?.string == "handle_token" }?[1]?.content?.string ?? ""
        if method == "CreateSession" {
            respond(token, [("session_handle", .string(manner == .answersAnything ? "no/path" : session))])
        } else {
            bound = values[1]?.children.compactMap { $0[0]?.string } ?? []
            respond(
                token, [("shortcuts", Self.list(["answer": "Ctrl+Alt+A", "mute": "Ctrl+Alt+M"]))],
                code: manner == .cancels ? 1 : 0)
        }
        return [.objectPath("\(Self.path)/request/\(token)")]
    }

    /// Answers a request from its object.
    private func respond(_ token: String, _ results: [(key: String, value: Variant)], code: UInt32 = 0) {
        let path = "\(Self.path)/request/\(caller)/\(token)"
        guard
            let export = try? bus?.export(
                Self.request, at: path, answering: { (_, _) throws(DBusError) in [] })
        else { return }
        requests.append(export)
        export.emit("Response", [.uint32(code), .dictionary(results)])
    }

    private static func list(_ keys: [String: String]) -> Variant {
        .array(
            of: "(sa{sv})",
            keys.sorted { $0.key < $1.key }.map {
                .tuple([.string($0.key), .dictionary([("trigger_description", .string($0.value))])])
            })
    }

    private static let registry = """
        <node><interface name="org.freedesktop.host.portal.Registry">
        <method name="Register"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
        </interface></node>
        """
    private static let request = """
        <node><interface name="org.freedesktop.portal.Request">
        <signal name="Response"><arg type="u"/><arg type="a{sv}"/></signal></interface></node>
        """
    private static let shortcuts = """
        <node><interface name="org.freedesktop.portal.GlobalShortcuts">
        <method name="CreateSession"><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
        <method name="BindShortcuts"><arg type="o" direction="in"/><arg type="a(sa{sv})" direction="in"/>
        <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
        <signal name="Activated"><arg type="o"/><arg type="s"/><arg type="t"/><arg type="a{sv}"/></signal>
        <signal name="ShortcutsChanged"><arg type="o"/><arg type="a(sa{sv})"/></signal>
        <property name="version" type="u" access="read"/>
        </interface></node>
        """
}
