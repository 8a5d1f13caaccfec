// SPDX-License-Identifier: GPL-3.0-or-later

/// The keypad on the lock screen, which calls only emergency numbers, and leaves the phone's number alone.
@MainActor
public final class EmergencyPad {
    public enum Message: Hashable, Sendable {
        /// Only emergency numbers can be dialled.
        case hint
        /// The number is one of an emergency service, and can be called.
        case complete
        case cannotReachHelp
    }

    /// The time after the last key at which the pad closes: digits of a passcode would be legible on it.
    public static let idleTime = Duration.seconds(30)

    /// Whether keys enter a number instead of the passcode.
    public private(set) var isOpen = false
    /// The number; at most as long as the longest emergency number.
    public private(set) var number = DialledNumber()
    public private(set) var message = Message.hint
    public var onChange: (@MainActor () -> Void)?

    private let phone: Phone
    private let clock: any Scheduler
    private var timer: (any ScheduledTimer)?

    public init(_ phone: Phone, clock: any Scheduler) { (self.phone, self.clock) = (phone, clock) }

    isolated deinit { timer?.cancel() }

    public var canCall: Bool { phone.calls.emergency.contains(number) }

    public func open() { change { isOpen = true } }

    public func close() {
        guard isOpen else { return }
        change { isOpen = false }
    }

    /// Appends a digit; does nothing if no emergency number is that long.
    public func press(_ digit: Int) {
        guard isOpen, let key = UInt8(exactly: digit).flatMap(DTMFKey.init(rawValue:)),
            number.count < EmergencyNumbers.lengths.upperBound
        else { return }
        phone.click()
        change { number.append(key.character) }
    }

    public func deleteLast() {
        guard isOpen, !number.isEmpty else { return }
        phone.click()
        change { number.deleteLast() }
    }

    /// Calls the number, and closes the pad if the call has begun.
    public func call() {
        guard isOpen, canCall else { return }
        guard !phone.callForHelp(number) else { return close() }
        change(saying: .cannotReachHelp) {}
    }

    private func change(saying message: Message? = nil, _ change: () -> Void) {
        change()
        if !isOpen { number.clear() }
        self.message = message ?? (canCall ? .complete : .hint)
        timer?.cancel()
        timer = isOpen ? clock.schedule(after: Self.idleTime) { [weak self] in self?.close() } : nil
        onChange?()
    }
}
