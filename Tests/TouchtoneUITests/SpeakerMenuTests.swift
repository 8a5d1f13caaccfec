// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of SPKR, the menu of output devices for a call.
final class SpeakerMenuTests: GtkTestCase {
    private static let builtIn = SoundDevice(name: "default", label: "Default device")
    private static let dock = SoundDevice(name: "hw:CARD=Dock", label: "Dock, USB_Audio")
    private static let headset = SoundDevice(name: "hw:CARD=Headset", label: "Headset")

    func testSPKRIsDisabledWithOneDevice() throws {
        try onMainActor {
            for devices in [FoundDevices([Self.builtIn]), FoundDevices([Self.builtIn, Self.builtIn])] {
                let fixture = try PhoneWindowFixture(devices: devices)
                let line = fixture.talkingLine()
                fixture.talk("5551234", on: line)
                waitUntil("the devices are known") { devices.answers == 1 }
                handleEvents()
                XCTAssertFalse(try fixture.canChooseSpeaker)
                XCTAssertEqual(try fixture.speakerTip, "There is no other device to hear the call on")
                fixture.act("speaker")
                waitUntil("the devices are known") { devices.answers == 2 }
                handleEvents()
                XCTAssertEqual(fixture.openMenu, [])
                // The shortcut finds a device that was added meanwhile.
                devices.list.append(Self.dock)
                fixture.act("speaker")
                waitUntil("the menu opens") { fixture.openMenu.count == 2 }
                XCTAssert(try fixture.canChooseSpeaker)
                fixture.type(GDK_KEY_Escape)
                fixture.clear()
            }
        }
    }

    func testMicrophoneIsChosenInCall() throws {
        try onMainActor {
            let desk = SoundDevice(name: "sysdefault:CARD=Desk", label: "Desk")
            let devices = FoundDevices([Self.builtIn], microphones: [Self.builtIn, desk])
            let fixture = try PhoneWindowFixture(devices: devices)
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            waitUntil("SPKR can be pressed") { (try? fixture.canChooseSpeaker) == true }
            fixture.tap("Speaker")
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            XCTAssertEqual(
                fixture.openMenu, ["* Default device", "* Default device", "Desk"],
                "the device to hear the call on, and the microphones")
            fixture.type(GDK_KEY_End)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.settings[text: "microphone-device"], desk.name)
            XCTAssertEqual(fixture.heardOn, [], "it is heard where it was")
            fixture.settings.reset("microphone-device")
            fixture.clear()
        }
    }

    func testCallPlaysOnMenuDeviceUntilItEnds() throws {
        try onMainActor {
            let devices = FoundDevices([Self.builtIn, Self.dock, Self.headset])
            let fixture = try PhoneWindowFixture(devices: devices)
            let line = fixture.talkingLine()
            fixture.talk("5551234", on: line)
            waitUntil("SPKR can be pressed") { (try? fixture.canChooseSpeaker) == true }
            let place = fixture.place(of: "Speaker")
            fixture.tap("Speaker")
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            XCTAssertEqual(fixture.openMenu, ["* Default device", "Dock, USB_Audio", "Headset"])
            XCTAssert(fixture.menuIsAWindowForAssistiveTools)
            XCTAssertFalse(try fixture.isSpeakerLit)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.heardOn, ["on hw:CARD=Dock"])
            XCTAssert(try fixture.isSpeakerLit)
            XCTAssertEqual(
                try fixture.speakerTip,
                "The call is heard on “Dock, USB_Audio”: choose another device (Ctrl+O)")
            XCTAssertEqual(fixture.place(of: "Speaker"), place)
            // The chosen item has the focus when the menu opens.
            fixture.act("speaker")
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            XCTAssertEqual(fixture.openMenu, ["Default device", "* Dock, USB_Audio", "Headset"])
            fixture.type(GDK_KEY_Up)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.heardOn, ["on hw:CARD=Dock", "on tones"])
            XCTAssertFalse(try fixture.isSpeakerLit)
            // By an assistive tool, which sends no event.
            gtk_button_clicked(try XCTUnwrap(fixture.shown("Speaker")).cast())
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            fixture.type(GDK_KEY_End)
            fixture.type(GDK_KEY_Return)
            fixture.tap("Mute")
            XCTAssertEqual(line.calls[0].isMuted, true)
            fixture.tap("Hang up")
            XCTAssertEqual(
                fixture.heardOn, ["on hw:CARD=Dock", "on tones", "on hw:CARD=Headset", "on tones"])
            fixture.talk("5551234", on: line)
            XCTAssertFalse(try fixture.isSpeakerLit, "the choice has ended with the call")
            fixture.clear()
        }
    }

    func testRemovedDeviceCanBeLeft() throws {
        try onMainActor {
            let devices = FoundDevices([Self.builtIn, Self.dock])
            let fixture = try PhoneWindowFixture(devices: devices)
            fixture.talk("5551234", on: fixture.talkingLine())
            waitUntil("SPKR can be pressed") { (try? fixture.canChooseSpeaker) == true }
            fixture.phone.calls.setSpeaker(Self.dock.name)
            devices.list.removeLast()
            fixture.act("speaker")
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            XCTAssertEqual(fixture.openMenu, ["* hw:CARD=Dock (not connected)", "Default device"])
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.heardOn, ["on hw:CARD=Dock", "on tones"])
            XCTAssertFalse(try fixture.canChooseSpeaker, "there is one device now")
            fixture.clear()
        }
    }

    func testMenuClosesWithCallAndOnLocking() throws {
        try onMainActor {
            let devices = FoundDevices([Self.builtIn, Self.dock])
            let fixture = try PhoneWindowFixture(passcode: "1234", devices: devices)
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            let line = fixture.talkingLine()
            XCTAssertEqual(devices.questions, 0, "without a call nobody asks")
            fixture.act("speaker")
            XCTAssertEqual(devices.questions, 0)
            fixture.talk("5551234", on: line)
            waitUntil("SPKR can be pressed") { (try? fixture.canChooseSpeaker) == true }
            fixture.act("mute")
            XCTAssertEqual(devices.questions, 1, "one question for each call")
            fixture.act("speaker")
            waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
            line.calls[0].onEvent?(.ended(.farEnd))
            handleEvents()
            XCTAssertEqual(fixture.openMenu, [])
            // The answer arrives when the call is over, or the phone is locked.
            fixture.talk("5551234", on: line)
            waitUntil("the devices are known") { devices.answers == devices.questions }
            for end in [{ _ = fixture.lock.lock() }, { fixture.phone.hangUp() }] {
                devices.isSlow = true
                let before = devices.questions
                fixture.act("speaker")
                waitUntil("the devices are asked for") { devices.questions == before + 1 }
                end()
                devices.isSlow = false
                waitUntil("the devices are known") { devices.answers == devices.questions }
                handleEvents()
                XCTAssertEqual(fixture.openMenu, [])
                guard fixture.lock.isLocked else { continue }
                fixture.type("1234")
                waitUntil("the phone is open") { !fixture.lock.isLocked }
                fixture.act("speaker")
                waitUntil("the menu opens") { !fixture.openMenu.isEmpty }
                fixture.lock.lock()
                XCTAssertEqual(fixture.openMenu, [])
                fixture.type("1234")
                waitUntil("the phone is open") { !fixture.lock.isLocked }
            }
            fixture.clear()
        }
    }
}

/// Devices that appear and disappear.
@MainActor
private final class FoundDevices: SoundDeviceList {
    var list: [SoundDevice]
    private(set) var questions = 0
    private(set) var answers = 0
    /// Whether answers wait until this is false again.
    var isSlow = false {
        didSet {
            guard !isSlow else { return }
            for waiting in waiting { waiting.resume() }
            waiting = []
        }
    }
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private let inputs: [SoundDevice]

    init(_ list: [SoundDevice], microphones: [SoundDevice] = []) { (self.list, inputs) = (list, microphones) }

    func microphones() async -> [SoundDevice] { inputs }

    func devices() async -> [SoundDevice] {
        questions += 1
        if isSlow { await withCheckedContinuation { waiting.append($0) } }
        answers += 1
        return list
    }
}

extension PhoneWindowFixture {
    fileprivate var speaker: Widget { get throws { try XCTUnwrap(shown("Speaker")) } }

    fileprivate var canChooseSpeaker: Bool { get throws { gtk_widget_get_sensitive(try speaker) != 0 } }

    fileprivate var isSpeakerLit: Bool {
        get throws { gtk_style_context_has_class(gtk_widget_get_style_context(try speaker), "lit") != 0 }
    }

    /// The accessible description of SPKR, which is also its tooltip.
    fileprivate var speakerTip: String? {
        get throws {
            let tip = gtk_widget_get_tooltip_text(try speaker)
            defer { g_free(tip) }
            let description = atk_object_get_description(gtk_widget_get_accessible(try speaker))
            XCTAssertEqual(description.map { String(cString: $0) }, tip.map { String(cString: $0) })
            return tip.map { String(cString: $0) }
        }
    }

    /// The devices that calls were to be played on.
    fileprivate var heardOn: [String] { tones.notes.filter { $0.hasPrefix("on ") } }

    /// Whether assistive tools find the open menu among the program's windows.
    fileprivate var menuIsAWindowForAssistiveTools: Bool {
        guard let root = atk_get_root(), let menu = gtk_grab_get_current() else { return false }
        let window = gtk_widget_get_accessible(gtk_widget_get_toplevel(menu))
        return (0..<atk_object_get_n_accessible_children(root)).contains { index in
            guard let child = atk_object_ref_accessible_child(root, index) else { return false }
            defer { g_object_unref(child) }
            return child == window
        }
    }

    /// The items of the open menu; `*` precedes the chosen one.
    fileprivate var openMenu: [String] {
        guard let menu = gtk_grab_get_current(), cgtk_instance_is_a(menu, gtk_menu_get_type()) != 0 else {
            return []
        }
        return descendants(of: menu).filter {
            cgtk_instance_is_a($0, gtk_radio_menu_item_get_type()) != 0
        }.map {
            let isChosen = gtk_check_menu_item_get_active($0.cast()) != 0
            return (isChosen ? "* " : "") + String(cString: gtk_menu_item_get_label($0.cast()))
        }
    }
}
