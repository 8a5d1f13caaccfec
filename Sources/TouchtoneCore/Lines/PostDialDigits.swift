// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys that were dialled behind a number, which go to whoever answers: `5551234,,12;34`.
///
/// A comma is a pause, and a semicolon waits until somebody says that it may go on. A plain value without a clock, like
/// `CallStateMachine`.
public struct PostDialDigits: Hashable, Sendable {
    /// How long a comma lasts.
    public static let pause = Duration.seconds(2)
    /// From the beginning of one key to that of the next: longer than far ends need to tell two apart.
    public static let distance = Duration.milliseconds(250)
    /// From the answer to the first key: the far end has hardly lifted its receiver.
    public static let begin = Duration.milliseconds(500)

    /// What is left to be done, commas and semicolons included.
    public private(set) var text: String
    /// When the next key goes out; nil before the answer, while it waits, and at the end.
    private(set) var due: Duration?

    /// Nothing.
    init() { text = "" }

    /// What stands behind the first pause or wait of a number.
    init(of number: DialledNumber) {
        var rest = number.text.drop { !Self.isPauseOrWait($0) }
        // Nothing comes after the last of them.
        while let last = rest.last, Self.isPauseOrWait(last) { rest.removeLast() }
        text = String(rest)
    }

    /// Whether somebody has to say that it may go on.
    public var waits: Bool { text.first == ";" && hasBegun }

    /// The keys up to the next wait, as they are asked for.
    public var next: String { String(text.drop { $0 == ";" }.prefix { $0 != ";" }) }

    private var hasBegun = false

    private static func isPauseOrWait(_ character: Character) -> Bool { character == "," || character == ";" }
}

extension PostDialDigits {
    /// Somebody has answered.
    mutating func begin(at time: Duration) {
        guard !hasBegun else { return }
        hasBegun = true
        schedule(from: time + Self.begin)
    }

    /// Goes on behind a wait.
    mutating func resume(at time: Duration) {
        guard waits else { return }
        while text.first == ";" { text.removeFirst() }
        schedule(from: time)
    }

    /// The key whose time has come; nil where none has, or it was the end of a pause.
    mutating func take(at time: Duration) -> DTMFKey? {
        guard let due, due <= time, let first = text.first else { return nil }
        text.removeFirst()
        schedule(from: time + Self.distance)
        return DTMFKey(first)
    }

    /// Leaves pauses out and finds the time of the key behind them.
    private mutating func schedule(from time: Duration) {
        var time = time
        while text.first == "," {
            text.removeFirst()
            time += Self.pause
        }
        // A semicolon behind pauses would be asked for before they are over: what is said then is early enough.
        due = text.isEmpty || text.first == ";" ? nil : time
    }
}
