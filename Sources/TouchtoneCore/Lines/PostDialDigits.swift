// SPDX-License-Identifier: GPL-3.0-or-later

/// The digits behind a number, `5551234,,12;34`: a comma is a pause, and a semicolon waits for the user.
///
/// A plain value without a clock, like `CallStateMachine`.
public struct PostDialDigits: Hashable, Sendable {
    /// The duration of a comma.
    public static let pause = Duration.seconds(2)
    /// The time from the beginning of one key to that of the next: more than far ends need to distinguish two keys.
    public static let distance = Duration.milliseconds(250)
    /// The time from the answer to the first key, so that the far end is ready to listen.
    public static let begin = Duration.milliseconds(500)

    /// The characters that are not processed yet, commas and semicolons included.
    public private(set) var text: String
    /// The time at which the next key is sent; nil before the answer, during a wait, and at the end.
    private(set) var due: Duration?

    init() { text = "" }

    /// Creates the sequence of the characters after the first pause or wait in a number.
    init(of number: DialledNumber) {
        var rest = number.text.drop { !Self.isPauseOrWait($0) }
        // A trailing pause or wait has no effect.
        while let last = rest.last, Self.isPauseOrWait(last) { rest.removeLast() }
        text = String(rest)
    }

    /// Whether the digits wait for the user's confirmation.
    public var waits: Bool { text.first == ";" && hasBegun }

    /// The keys up to the next wait, as the user is asked to confirm them.
    public var next: String { String(text.drop { $0 == ";" }.prefix { $0 != ";" }) }

    /// Whether the user is asked, now or later, before more of the digits are sent.
    var needsConfirmation: Bool { text.contains(";") }

    private var hasBegun = false

    private static func isPauseOrWait(_ character: Character) -> Bool { character == "," || character == ";" }
}

extension PostDialDigits {
    /// Begins to send the digits, when the far end answers.
    mutating func begin(at time: Duration) {
        guard !hasBegun else { return }
        hasBegun = true
        schedule(from: time + Self.begin)
    }

    /// Appends keys, of which the first is sent at once if no other waits.
    mutating func append(_ keys: [DTMFKey], at time: Duration) {
        text += keys.map { String($0.character) }.joined()
        if hasBegun, due == nil { schedule(from: time) }
    }

    mutating func resume(at time: Duration) {
        guard waits else { return }
        while text.first == ";" { text.removeFirst() }
        schedule(from: time)
    }

    /// Removes and returns the key that is due; nil if none is, or if a pause ended.
    mutating func take(at time: Duration) -> DTMFKey? {
        guard let due, due <= time, let first = text.first else { return nil }
        text.removeFirst()
        schedule(from: time + Self.distance)
        return DTMFKey(first)
    }

    private mutating func schedule(from time: Duration) {
        var time = time
        while text.first == "," {
            text.removeFirst()
            time += Self.pause
        }
        // A semicolon may be shown before the pauses in front of it are over: a confirmation that early does no harm.
        due = text.isEmpty || text.first == ";" ? nil : time
    }
}
