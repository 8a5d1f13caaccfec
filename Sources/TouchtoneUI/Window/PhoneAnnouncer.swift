// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Announces the number, the status and the states of calls to a screen reader, each once and in their order.
///
/// The desktop's notification announces an incoming or missed call, unless the phone is quiet.
@MainActor
final class PhoneAnnouncer {
    /// The delay after the last change of the number, so that a typed number is announced as a whole.
    static let pause = Duration.seconds(1)

    /// Whether the desktop shows no notifications of calls.
    var isQuiet = false
    /// Returns the suggestions that are shown for the number; empty for none.
    var suggestions: (@MainActor () -> String)?
    private let phone: Phone
    private let clock: any Scheduler
    private let window: Widget
    private var status: PhoneStatus
    private var number = ""
    private var announced = ""
    private var voicemails: Int?
    private var timer: (any ScheduledTimer)?
    /// The user's current call when the phone last changed.
    private var call: Call.ID?
    /// The calls that ring.
    private var callers: Set<Call.ID> = []
    /// Whether the phone is locked: then only the states of calls are announced, which contain no names.
    private var isLocked = false

    /// - Parameter clock: The scheduler for the delay of the number.
    init(_ phone: Phone, window: Widget, clock: any Scheduler) {
        (self.phone, self.window, self.clock) = (phone, window, clock)
        status = phone.status
        number = Self.number(of: phone)
        announced = number
        voicemails = phone.newVoicemails
    }

    func phoneChanged() {
        announceVoicemail()
        announceMoreCallers()
        let now = Self.number(of: phone)
        if now != number {
            number = now
            timer?.cancel()
            timer =
                isLocked ? nil : clock.schedule(after: Self.pause) { [weak self] in self?.announceNumber() }
        }
        let (before, status) = (status, phone.status)
        let isSwapped = isSwapped(from: before, to: status)
        call = phone.calls.current?.id
        self.status = status
        if isSwapped, !isLocked {
            timer?.cancel()
            timer = nil
            announced = number
            // The name or number on the display shows which of the two calls is heard now.
            window.announce(localizedList([phone.displayText, localizedIn("state of a call", "connected")]))
            return
        }
        guard before != status, !isLocked || Self.isOfCall(status) || Self.isOfCall(before) else { return }
        let text = text(for: status, after: before)
        guard !text.isEmpty else { return }
        // The number that is dialled comes before the states of its call.
        if Self.isOfCall(status), timer != nil { announceNumber(isDialled: true) }
        window.announce(text)
    }

    /// Announces who calls while another call rings, which alone has a notification.
    private func announceMoreCallers() {
        let ringing = phone.calls.calls.filter { $0.state == .incoming }
        for call in ringing.dropFirst() where !isLocked && !callers.contains(call.id) {
            window.announce(spoken(.waiting(from: phone.caller(call.remote))))
        }
        callers = Set(ringing.map(\.id))
    }

    /// Handles the locking and unlocking of the phone; what has changed meanwhile is not announced.
    func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        timer?.cancel()
        timer = nil
        status = phone.status
        number = Self.number(of: phone)
        announced = number
        voicemails = phone.newVoicemails
        if isLocked { Announcements.forget() }
    }

    /// Whether the user has changed from one connected call to the other one.
    private func isSwapped(from before: PhoneStatus, to status: PhoneStatus) -> Bool {
        guard case .connected = before, case .connected = status, let call, let now = phone.calls.current?.id
        else { return false }
        return call != now && phone.calls.calls.contains { $0.id == call }
    }

    private static func number(of phone: Phone) -> String {
        phone.address?.copied ?? phone.text(of: phone.number)
    }

    /// Announces the number if it has changed, with its suggestions, or before its call in any case.
    private func announceNumber(isDialled: Bool = false) {
        timer?.cancel()
        timer = nil
        guard number != announced || isDialled else { return }
        announced = number
        // At dial tone for a second call, the program empties the display.
        guard !number.isEmpty || phone.calls.calls.isEmpty else { return }
        window.announce(number.isEmpty ? localized("Number cleared") : number)
        if !isDialled, let suggestions = suggestions?() { window.announce(suggestions) }
    }

    /// Announces messages that have come into a voicemail.
    private func announceVoicemail() {
        let (before, now) = (voicemails, phone.newVoicemails)
        guard now != before else { return }
        voicemails = now
        guard phone.hasNewVoicemail, !isLocked, now ?? .max > before ?? 0 else { return }
        let text =
            now.map {
                localizedPlural("{count} new voicemail message", "{count} new voicemail messages", $0)
            } ?? localized("New voicemail messages")
        window.announce(text)
    }

    // MARK: - Texts

    private static func isOfCall(_ status: PhoneStatus) -> Bool {
        switch status {
        case .dialling, .ringing, .connected, .unheard, .keysNotSent, .joined, .waitsToSend, .held,
            .heldByFarEnd, .transferring, .notTransferred, .incoming, .onMachine, .waiting, .callEnded,
            .missed,
            .notReached,
            .sent:
            true
        default: false
        }
    }

    /// Returns the announcement of a status; empty for none.
    private func text(for status: PhoneStatus, after before: PhoneStatus) -> String {
        switch (before, status) {
        case (.connected(_, _, let wasMuted, _), .connected(_, _, let isMuted, _)),
            (.keysNotSent(_, let wasMuted), .keysNotSent(_, let isMuted)),
            (.joined(_, let wasMuted), .joined(_, let isMuted)):
            return wasMuted == isMuted ? "" : text(isMuted: isMuted)
        case (.unheard, .unheard), (.unheard, .connected): return ""
        case (_, .unheard): return localized("Nothing has been heard from the other party for a minute.")
        case (_, .keysNotSent): return localized("The other party does not take keys: they are not sent.")
        case (.keysNotSent, .connected): return ""
        case (.heldByFarEnd, .connected): return localized("The other party resumed the call.")
        case (_, .heldByFarEnd): return localized("The other party put the call on hold.")
        case (_, .connected(_, _, _, let lacksMicrophone)):
            return lacksMicrophone
                ? localizedIn("state of a call", "connected, no microphone")
                : localizedIn("state of a call", "connected")
        case (_, .joined): return localizedIn("state of a call", "joined")
        case (_, .incoming):
            return isUnheard && !isLocked ? spoken(.waiting(from: phone.displayText)) : ""
        case (_, .onMachine): return isLocked ? "" : spoken(status)
        case (_, .waiting): return isUnheard && !isLocked ? spoken(status) : ""
        case (_, .missed): return isQuiet && !isLocked ? spoken(status) : ""
        case (.dialling, .ready), (.ringing, .ready):
            return localizedIn("segment display", "ENDED").lowercased()
        case (_, .callEnded(_, isPractice: true)):
            return localized(
                "{status}. That was a practice call. For real calls, add a phone account in Preferences, Lines.",
                ["status": spoken(status)])
        case (_, .cannotReachHelp):
            return localized("This phone cannot reach help now. Use another telephone.")
        case (_, .ready): return ""
        // What to do is in the caption.
        case (_, .memoryToDial): return MemoryDialling.Question.dial.spoken
        case (_, .memoryToStore): return MemoryDialling.Question.store.spoken
        default: return spoken(status)
        }
    }

    /// Whether no notification announces the incoming call.
    private var isUnheard: Bool { phone.calls.incoming.map { !phone.calls.isHeard($0) } ?? isQuiet }

    /// Returns the text of the display in lower case: speech synthesizers spell capitals.
    private func spoken(_ status: PhoneStatus) -> String { (status.prompt ?? status.text).lowercased() }

    /// Returns the announcement of the microphone; empty if its key has the focus and announces its own state.
    private func text(isMuted: Bool) -> String {
        guard let focus = gtk_window_get_focus(window.cast()),
            cgtk_instance_is_a(focus, gtk_toggle_button_get_type()) != 0
        else { return isMuted ? localized("Microphone off") : localized("Microphone on") }
        return ""
    }
}
