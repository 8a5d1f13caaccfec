// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A phone in a window on the test screen, with tones and a line that only record.
@MainActor
final class PhoneWindowFixture: WorkedIn {
    let tones = FakeTones()
    let line = FakeLine()
    let lines: LineRegistry
    let settings: Settings
    let phone: Phone
    let vault: FakePasscodeStore
    let lock: Lock
    let chat: Chat
    let service = OperatorLine()
    /// The sounds of the lock: `c` for a click, `E` for the error tone.
    var heard: String {
        tones.notes.compactMap { ["keyClick": "c", "errorTone": "E"][$0] }.joined()
    }
    let window: PhoneWindow
    /// The account’s service; nil if there is no account.
    let account: FakeChatService?
    /// The number of times that the account in Preferences was opened.
    let accounts = Variable(0)

    /// Shows the window, `width` pixels wide; it is locked if there is a passcode.
    init(
        width: gint = 804, panel: Bool = true, passcode: String? = nil, vault: FakePasscodeStore? = nil,
        directory: DirectoryDependencies? = nil, devices: (any SoundDeviceList)? = nil,
        account: FakeChatService? = nil, isStyleComplete: Bool = true,
        beforeShowing: (@MainActor (UnsafeMutablePointer<GtkWindow>) -> Void)? = nil,
        whenDrawn: (@MainActor (UnsafeMutablePointer<GtkWidget>) -> Void)? = nil
    ) throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        settings[flag: "panel-visible"] = panel
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: MainLoopScheduler(), line: line)
        lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        style = try Style(resources: resources, isComplete: isStyleComplete)
        self.vault = vault ?? FakePasscodeStore(passcode)
        lock = Lock(
            store: self.vault, clock: MainLoopScheduler(), boot: FakeBootClock(),
            sounds: tones
        )
        let wall = FixedWallClock()
        let store = MemoryMessageStore()
        chat = Chat(
            store: store, account: account.map { _ in ChatAddress("me@example.org") },
            services: [service] + (account.map { [$0] } ?? []), clock: MainLoopScheduler(), wall: wall,
            names: { "name" })
        self.account = account
        account?.tell(.state(.online))
        let messages = MessagingDependencies(messenger: Messenger(chat), wall: wall, store: store)
        let parts = PhoneDependencies(
            phone: phone, lines: lines, lock: lock, settings: settings, devices: devices, sounds: tones,
            regions: RegionChoices(system: "GB") { [] },
            messages: messages, directory: directory ?? People([]).directory)
        window = try PhoneWindow(parts, resources: resources) { [accounts] in accounts.value += 1 }
        gtk_window_set_default_size(window.window, width, 660)
        if let whenDrawn {
            Signal.connectDraw(window.window) { [window] _ in whenDrawn(window.window.cast()) }
        }
        // The pointer is moved away, because it would highlight a key below it.
        movePointerAway()
        beforeShowing?(window.window)
        window.present()
        waitUntil("the window is drawn") { gtk_widget_get_mapped(widget) != 0 }
        gtk_test_widget_wait_for_draw(widget)
        focus()
        tones.notes = []
    }

    private let style: Style

    /// The window as a widget.
    var widget: UnsafeMutablePointer<GtkWidget> { window.window.cast() }

    /// Closes the window; the phone is released with the desk.
    func clear() {
        for button: UInt32 in 1...3 { cxtest_button(button, false) }
        gtk_widget_destroy(widget)
        handleEvents()
    }

    /// The content of the display.
    var display: String { label(describedAs: "Number display") }

    /// The text of the status line.
    var status: String { label(describedAs: "Status") }

    /// The text of the display's last row.
    var caption: String { label(describedAs: "Caption") }

    /// Returns the button with an accessible name, as a screen reader would find it.
    func find(_ name: String) -> UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first { widget in
            cgtk_instance_is_a(widget, gtk_button_get_type()) != 0
                && atk_object_get_name(gtk_widget_get_accessible(widget)).map { String(cString: $0) } == name
        }
    }

    /// The label that shows the number.
    var numberLabel: UnsafeMutablePointer<GtkWidget>? { labelWidget(describedAs: "Number display") }

    private func label(describedAs description: String) -> String {
        labelWidget(describedAs: description).map { String(cString: gtk_label_get_text($0.cast())) }
            ?? "no label"
    }

    private func labelWidget(describedAs description: String) -> UnsafeMutablePointer<GtkWidget>? {
        descendants(of: widget).first { widget in
            atk_object_get_description(gtk_widget_get_accessible(widget)).map { String(cString: $0) }
                == description
        }
    }
}

/// Returns all descendants of a widget, including hidden ones.
@MainActor
func descendants(of widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
    var found = [widget]
    guard cgtk_instance_is_a(widget, gtk_container_get_type()) != 0 else { return found }
    let children = Variable<[UnsafeMutablePointer<GtkWidget>]>([])
    gtk_container_forall(
        widget.cast(),
        { child, data in
            guard let child, let data else { return }
            nonisolated(unsafe) let (one, list) = (child, data)  // On the main thread, in this call.
            MainActor.assumeIsolated {
                Unmanaged<Variable<[UnsafeMutablePointer<GtkWidget>]>>.fromOpaque(list).takeUnretainedValue()
                    .value.append(one)
            }
        }, Unmanaged.passUnretained(children).toOpaque())
    for child in children.value { found += descendants(of: child) }
    return found
}

/// A tone player that records its requests.
final class FakeTones: ToneOutput, SoundOutput {
    @MainActor var notes: [String] = []

    func start(_ key: DTMFKey) { MainActor.assumeIsolated { notes.append("start \(key.character)") } }
    func stop() { MainActor.assumeIsolated { notes.append("stop") } }
    func setReady(_ ready: Bool) { MainActor.assumeIsolated { notes.append(ready ? "ready" : "not ready") } }

    @discardableResult
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound {
        MainActor.assumeIsolated { notes.append("\(sound)") }
        return PlayedSound(number: 0)
    }
    func stop(_ sound: PlayedSound) { MainActor.assumeIsolated { notes.append("over") } }
    func setSpeaker(_ device: String?) {
        MainActor.assumeIsolated { notes.append("on \(device ?? "tones")") }
    }

    /// The tones alone.
    @MainActor var tones: [String] { notes.filter { $0.hasPrefix("st") } }
}

/// A line that records the numbers, and answers that it has handed them over, or what the test sets.
final class FakeLine: Line {
    let id = "noting"
    let label = "LINE 1"
    let state = LineState.available
    var onEvent: ((LineEvent) -> Void)?
    var numbers: [String] = []
    var end = CallEndReason.handedOver(to: "Calls")

    func dial(_ remote: RemoteParty) -> any LineCall {
        numbers.append(remote.number.text)
        return FakeCall(remote, end)
    }
}

/// The practice exchange's conversation, in which the test provides the replies.
@MainActor
final class OperatorLine: ChatService, MessageService {
    var messages: any MessageService { self }
    var onEvent: (@MainActor (ChatServiceEvent) -> Void)?

    func tell(_ event: ChatServiceEvent) { onEvent?(event) }
    func carries(_ buddy: ChatAddress) -> Bool { buddy == .operatorAddress }
    func address(_ text: String) -> ChatAddress? { nil }
    func setPaused(_ isPaused: Bool) {}
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool { true }
    func send(_ message: ChatMessage) {}
    func sendCorrection(of message: ChatMessage, name: String) {}
    func send(_ annotation: MessageAnnotation) {}
    func confirmArrival(of message: ChatMessage) {}
    func confirmReading(of message: ChatMessage) {}
    func shareReading(upTo message: ChatMessage) {}
    func sendChatState(_ typing: Typing, to buddy: ChatAddress) {}
    func setPresence(_ presence: OwnPresence) {}
    func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
    {
        false
    }
}

/// A call that ends in the next turn of the main loop.
final class FakeCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = []
    var onEvent: ((CallEvent) -> Void)?

    init(_ remote: RemoteParty, _ end: CallEndReason = .handedOver(to: "Calls")) {
        self.remote = remote
        Task { onEvent?(.ended(end)) }
    }

    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) {}
    func send(_ key: DTMFKey) {}
}
