// SPDX-License-Identifier: GPL-3.0-or-later

/// What a number of the practice exchange is.
public enum ExchangeDestination: Hashable, Sendable {
    /// Rings twice and answers: what the microphone hears comes back.
    case echo
    /// The same, at once: the operator.
    case operatorDesk
    /// Tells the time: POPCORN.
    case time
    /// Is in a call.
    case busy
    /// Has no way through.
    case reorder
    /// Is nobody's.
    case noSuchNumber
    /// Rings for as long as anybody waits.
    case noAnswer
    /// Calls back, 3 seconds after it was hung up.
    case callsBack

    /// What a number is; what comes after a pause is for who answers.
    public init(_ number: DialledNumber) {
        let text = number.text.prefix { $0 != "," && $0 != ";" }
        self =
            switch text {
            case "0": .operatorDesk
            case "7672676": .time
            case "5550100": .busy
            case "5550101": .reorder
            case "5550102": .noSuchNumber
            case "5550103": .noAnswer
            case "5550104": .callsBack
            default: Self.isDialable(text) ? .echo : .noSuchNumber
            }
    }

    /// Whether it is a number that anybody may have: 7 digits to the 15 of the longest international number (ITU-T E.164,
    /// 6.1), with or without its `+`.
    private static func isDialable(_ text: Substring) -> Bool {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text
        return digits.allSatisfy(\.isNumber) && (7...15).contains(digits.utf8.count)
    }
}
