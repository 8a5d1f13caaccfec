// SPDX-License-Identifier: GPL-3.0-or-later

/// The real-time text of a past call, as far as it was kept.
public struct KeptCallText: Hashable, Sendable {
    public struct Line: Hashable, Sendable {
        public let side: CallText.Side
        public let text: String

        public init(_ side: CallText.Side, _ text: String) { (self.side, self.text) = (side, text) }
    }

    /// The lines of both sides, in the order in which they were begun.
    public let lines: [Line]
    /// Whether there was more text than is kept of a call.
    public let isCut: Bool

    public init(lines: [Line] = [], isCut: Bool = false) { (self.lines, self.isCut) = (lines, isCut) }
}

/// A call that goes on and has text, with what its entry needs if the program does not see its end.
public struct TextCall: Hashable, Sendable {
    /// The call's id, which no other call of this run of the program has.
    public let number: Int
    public let began: ChatTime
    public let answered: ChatTime?
    public let direction: Call.Direction
    public let remote: RemoteParty
    public let line: String

    public init(
        number: Int, began: ChatTime, answered: ChatTime?, direction: Call.Direction, remote: RemoteParty,
        line: String
    ) {
        (self.number, self.began, self.answered) = (number, began, answered)
        (self.direction, self.remote, self.line) = (direction, remote, line)
    }

    /// Returns the call of which nothing is known after a time, such as that of its last line.
    public func interrupted(at time: ChatTime, reason: String) -> PastCall {
        PastCall(
            direction: direction, remote: remote, line: line, began: began, endReason: .failed(reason),
            seconds: answered.map { max(0, Int((time.milliseconds - $0.milliseconds) / 1000)) })
    }
}

/// A part of the text of a call, as it is kept.
public struct TextPart: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// A line; an empty one was erased.
        case line(CallText.Side, String)
        /// The rest is not kept.
        case cut
    }

    /// The place among the parts of the call; a line that was changed after its end keeps its place.
    public let place: Int
    public let content: Content
    public let time: ChatTime

    public init(_ place: Int, _ content: Content, time: ChatTime) {
        (self.place, self.content, self.time) = (place, content, time)
    }
}
