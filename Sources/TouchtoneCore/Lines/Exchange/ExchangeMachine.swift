// SPDX-License-Identifier: GPL-3.0-or-later

/// The answering machine as the far ends of the practice exchange hear it, and the recorder of its calls.
@MainActor
public protocol ExchangeMachine: AnyObject {
    /// Begins with the greeting.
    func begin(_ answer: MachineAnswer) -> any ExchangeMessage

    /// Begins to record both sides of a conversation.
    ///
    /// - Parameter file: An empty file, for writing.
    func record(to file: OpenFile) -> any ExchangeRecording
}

@MainActor
public protocol ExchangeMessage: AnyObject {
    /// Whether greeting and tone are over, so that the far end may speak.
    var isRecording: Bool { get }
    /// Why the machine has ended the recording; nil before.
    var end: RecordingEnd? { get }

    /// Lets a time pass, in which the far end says a part of a sound, or nothing.
    ///
    /// - Parameter place: The time since the beginning of the sound.
    func advance(by time: Duration, saying sound: Cadence?, from place: Duration)

    /// Ends the recording; returns its length in seconds.
    func finish() -> Double
}

/// The message that a far end leaves on the machine, as a `PracticeCall` runs it.
@MainActor
final class PracticeMessage {
    /// The time that passes at once: the recorder has a page for each half second.
    static let step = Duration.milliseconds(200)
    /// The time between the tone and the first words, and after the last.
    static let pause = Duration.milliseconds(600)

    /// The event of a step.
    enum Progress: Hashable {
        case waits
        /// The far end may speak now.
        case begins
        /// The far end has said all.
        case ends
        /// The machine ends the call.
        case stops(RecordingEnd)
    }

    private let message: any ExchangeMessage
    private let sound: Cadence?
    private let length: Duration
    /// The time since the tone; nil before.
    private var spoken: Duration?
    /// Whether the far end has begun to speak.
    private(set) var hasSpoken = false

    /// - Parameter sound: What the far end says; nil for nothing.
    init(_ message: any ExchangeMessage, saying sound: Cadence?) {
        (self.message, self.sound) = (message, sound)
        length = sound?.end(ofRing: 1) ?? .zero
    }

    /// Whether the far end begins to speak with this step.
    private(set) var beginsToSpeak = false

    func advance() -> Progress {
        let before = spoken
        let place = (spoken ?? .zero) - Self.pause
        let isSpeaking = spoken != nil && place >= .zero && place < length
        beginsToSpeak = isSpeaking && !hasSpoken
        if isSpeaking { hasSpoken = true }
        message.advance(by: Self.step, saying: isSpeaking ? sound : nil, from: max(.zero, place))
        if let end = message.end { return .stops(end) }
        guard message.isRecording else { return .waits }
        spoken = before.map { $0 + Self.step } ?? .zero
        guard before != nil else { return .begins }
        return place >= length + Self.pause ? .ends : .waits
    }

    func finish(_ end: RecordingEnd) -> CallEvent {
        .recorded(seconds: message.finish(), end, isSilent: !hasSpoken)
    }
}
