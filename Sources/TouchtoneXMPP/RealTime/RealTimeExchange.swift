// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The real-time text with one buddy, in both directions, with one of its devices: the one that asked last.
@MainActor
final class RealTimeExchange {
    /// The time after which a text that the buddy does not go on with is not shown any more.
    static let patience = Duration.seconds(120)
    /// The greatest number of elements in a second; each one more than that is ignored.
    static let maximumRate = 20
    /// The greatest number of times that the user's wish is told again because the buddy asks again.
    static let maximumAnswers = 20

    /// The bare address of the buddy.
    let buddy: JID
    /// The device that has asked, and was asked; nil if there is none.
    private(set) var device: JID?
    private let clock: any Scheduler
    /// Sends an element to a device; returns whether there was a connection.
    private let send: @MainActor (RealTimeText, JID) -> Bool
    private let report: @MainActor (RealTimeTextChange) -> Void
    /// The devices that know that the user wants it.
    private(set) var asked: Set<JID> = []
    private var (writer, reader): (RealTimeWriter, RealTimeReader)
    private var (writing, playing, ending):
        ((any ScheduledTimer)?, (any ScheduledTimer)?, (any ScheduledTimer)?)
    private var answers = 0
    private var second = (start: Duration.zero, count: 0)

    init(
        with buddy: JID, clock: any Scheduler, sequence: Int,
        send: @escaping @MainActor (RealTimeText, JID) -> Bool,
        report: @escaping @MainActor (RealTimeTextChange) -> Void
    ) {
        (self.buddy, self.clock, self.send, self.report) = (buddy, clock, send, report)
        (writer, reader) = (RealTimeWriter(sequence: sequence), RealTimeReader())
    }

    // MARK: Agreement

    /// Asks a device, once.
    func ask(_ device: JID) {
        if !asked.contains(device), send(RealTimeText(.start), device) { asked.insert(device) }
    }

    /// Begins with a device that has asked, if it was asked.
    func begin(with device: JID) {
        guard asked.contains(device), device != self.device else { return }
        let isFirst = self.device == nil
        self.device = device
        if isFirst { report(.began) } else { clear() }
        loseStep()
    }

    /// Takes an element of one of the buddy's devices, which may be hostile.
    func take(_ element: RealTimeText, from device: JID) {
        guard element.event != .cancel else { return lose(device) }
        guard mayTake() else {
            if device == self.device { reader.lose() }
            return
        }
        if !asked.contains(device) {
            guard answers < Self.maximumAnswers else { return }
            answers += 1
            ask(device)
        }
        begin(with: device)
        guard device == self.device else { return }
        if element.event == .start {
            loseStep()
        } else {
            reader.take(element)
            play()
        }
    }

    /// Notes that a device does not take part any more.
    func lose(_ device: JID) {
        asked.remove(device)
        guard device == self.device else { return }
        self.device = nil
        stop()
        report(.ended)
    }

    /// Ends all that belonged to a stream that has ended.
    func interrupt() {
        asked = []
        if let device { lose(device) }
    }

    /// Tells all devices that were asked that the user does not want it any more.
    func end() {
        stop()
        for device in asked { _ = send(RealTimeText(.cancel), device) }
        (asked, device) = ([], nil)
    }

    /// Returns whether the rate is within its bound.
    private func mayTake() -> Bool {
        if clock.now - second.start >= .seconds(1) { second = (clock.now, 0) }
        second.count += 1
        return second.count <= Self.maximumRate
    }

    private func stop() {
        for timer in [writing, playing, ending] { timer?.cancel() }
        (writing, playing, ending) = (nil, nil, nil)
        reader = RealTimeReader()
        writer.lose()
    }

    // MARK: The user's text

    func showTyped(_ text: String) {
        writer.type(text, at: clock.now)
        writeLater()
    }

    func endTyped() {
        writer.end()
        writing?.cancel()
        writing = nil
    }

    private func loseStep() {
        writer.lose()
        writeLater()
    }

    private func writeLater() {
        guard device != nil, writing == nil, let due = writer.due else { return }
        writing = clock.schedule(after: max(.zero, due - clock.now)) { [weak self] in
            self?.writing = nil
            self?.write()
        }
    }

    private func write() {
        guard let device, let element = writer.next(at: clock.now) else { return }
        // Without a connection, the next change repeats the text.
        if !send(element, device) { writer.lose() }
    }

    // MARK: The buddy's text

    /// Shows the text up to the next pause.
    private func play() {
        playing?.cancel()
        playing = reader.play().map { pause in
            clock.schedule(after: pause) { [weak self] in self?.play() }
        }
        report(.text(reader.text))
        endLater()
    }

    private func endLater() {
        ending?.cancel()
        ending =
            reader.text.isEmpty
            ? nil : clock.schedule(after: Self.patience) { [weak self] in self?.clear() }
    }

    /// Takes note that a message of the buddy's has come, which the text has become.
    func messageCame() {
        guard device != nil else { return }
        forgetText()
        report(.sent)
    }

    private func clear() {
        forgetText()
        report(.text(""))
    }

    private func forgetText() {
        for timer in [playing, ending] { timer?.cancel() }
        (playing, ending) = (nil, nil)
        reader = RealTimeReader()
    }
}
