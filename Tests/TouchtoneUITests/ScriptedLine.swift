// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A line whose far ends are controlled by the test.
@MainActor
final class ScriptedLine: Line {
    let id: String
    let label = "LINE 2"
    var address = ""
    var callsNumbers = true { didSet { if callsNumbers != oldValue { onEvent?(.stateChanged) } } }
    var state = LineState.available { didSet { if state != oldValue { onEvent?(.stateChanged) } } }
    var voicemail = Voicemail.none { didSet { if voicemail != oldValue { onEvent?(.stateChanged) } } }
    var diversion: Diversion? { didSet { if diversion != oldValue { onEvent?(.stateChanged) } } }
    /// The extensions that it can watch.
    var office: FakeExtensions?
    var extensions: (any LineExtensions)? { office }
    var onEvent: ((LineEvent) -> Void)?
    private(set) var calls: [ScriptedCall] = []
    /// Whether its calls refuse hold.
    var refusesHold = false
    /// The features of its calls.
    var features = ScriptedCall.everything
    /// Whether its incoming calls offer text.
    var offersText = false

    init(id: String = "talking") { self.id = id }

    func dial(_ remote: RemoteParty) -> any LineCall { make(remote) }

    /// Offers an incoming call.
    func offer(_ number: String, address: String = "", displayName: String = "") {
        let number = DialledNumber(number) ?? DialledNumber()
        let call = make(RemoteParty(number, address: address, displayName: displayName))
        onEvent?(.incoming(call))
    }

    private func make(_ remote: RemoteParty) -> ScriptedCall {
        let call = ScriptedCall(remote, features, refusesHold: refusesHold)
        call.offersText = offersText
        calls.append(call)
        return call
    }
}

/// A call that records its commands.
@MainActor
final class ScriptedCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures
    var onEvent: ((CallEvent) -> Void)?
    private(set) var keys = ""
    private(set) var isMuted = false
    /// The parties to which the call was transferred.
    private(set) var targets: [RemoteParty] = []
    /// The parties to which the call was diverted.
    private(set) var diverted: [RemoteParty] = []
    /// The number of times that its quality was requested.
    private(set) var measurements = 0
    /// Whether the microphone is measured.
    private(set) var isWatched = false
    private let refusesHold: Bool
    var offersText = false
    /// The text that was sent.
    private(set) var text = ""
    private(set) var startsOfText = 0

    static let everything: CallFeatures = [
        .conversation, .hold, .join, .transfer, .quality, .text, .diversion, .microphoneLevel,
    ]

    init(_ remote: RemoteParty, _ features: CallFeatures = everything, refusesHold: Bool) {
        (self.remote, self.features, self.refusesHold) = (remote, features, refusesHold)
    }

    func answer() {}
    func hangUp() {}
    func hold() { if refusesHold { onEvent?(.holdRefused) } }
    func resume() {}
    func transfer(to other: any LineCall) {
        other.onEvent?(.ended(.transferred))
        onEvent?(.ended(.transferred))
    }
    func transfer(to remote: RemoteParty) { targets.append(remote) }
    func divert(to remote: RemoteParty) { diverted.append(remote) }
    func measure() { measurements += 1 }
    func watchMicrophone(_ isWatched: Bool) { self.isWatched = isWatched }
    func setMuted(_ isMuted: Bool) { self.isMuted = isMuted }
    func send(_ key: DTMFKey) { keys.append(key.character) }
    func startText() { startsOfText += 1 }
    func sendText(_ part: String) { text += part }
}

extension PhoneWindowFixture {
    /// Replaces the recording line with one that connects calls.
    func talkingLine() -> ScriptedLine {
        let line = ScriptedLine()
        phone.line = line
        lines.add(line)
        return line
    }

    /// Calls a number, and answers the call.
    func talk(_ number: String, on line: ScriptedLine) {
        phone.paste(number)
        phone.dial()
        line.calls.last?.onEvent?(.answered)
        handleEvents()
    }

    /// Returns the visible button with a name.
    func shown(_ name: String) -> Widget? {
        descendants(of: widget).first { widget in
            cgtk_instance_is_a(widget, gtk_button_get_type()) != 0 && gtk_widget_get_mapped(widget) != 0
                && atk_object_get_name(gtk_widget_get_accessible(widget)).map { String(cString: $0) } == name
        }
    }

    /// Clicks the visible button with a name.
    func tap(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        // The button may be new, and not placed yet.
        gtk_test_widget_wait_for_draw(widget)
        guard let key = shown(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        tap(key)
    }

    /// Whether a toggle is lit; nil if it does not exist or is disabled.
    func isLit(_ name: String) -> Bool? {
        guard let key = shown(name), gtk_widget_get_sensitive(key) != 0 else { return nil }
        return gtk_toggle_button_get_active(key.cast()) != 0
    }

    /// The accessible text of the call panel; nil if there is none.
    var callPanel: String? {
        let panel = descendants(of: widget).first { widget in
            let accessible = gtk_widget_get_accessible(widget)
            return atk_object_get_role(accessible) == ATK_ROLE_PANEL && gtk_widget_get_mapped(widget) != 0
                && atk_object_get_name(accessible).map { String(cString: $0) } == "Call"
        }
        return panel.flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }.map {
            String(cString: $0)
        }
    }

    /// All visible text of the window.
    var seen: [String] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }.map(\.text)
    }

    /// Returns the position and the size of a key, in pixels of the window.
    func place(of name: String) -> [gint] {
        gtk_test_widget_wait_for_draw(widget)
        guard let key = shown(name) else { return [] }
        var (x, y): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(key, widget, 0, 0, &x, &y)
        return [x, y, gtk_widget_get_allocated_width(key), gtk_widget_get_allocated_height(key)]
    }
}
