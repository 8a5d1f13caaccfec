// SPDX-License-Identifier: GPL-3.0-or-later

/// The behaviour of a number of the practice exchange.
public enum ExchangeDestination: Hashable, Sendable {
    /// The number rings twice and answers with an echo of the microphone.
    case echo
    /// The number rings once and answers with an echo: the operator.
    case operatorDesk
    /// The number gives the time: POPCORN.
    case time
    case busy
    case reorder
    case noSuchNumber
    /// The number rings and is never answered.
    case noAnswer
    /// The number calls back, 3 seconds after the call ended.
    case callsBack

    /// Creates the destination of a number; what follows a pause is for the far end, and ignored.
    public init(_ number: DialledNumber) {
        let text = number.main
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

    /// Whether the text can be a subscriber's number: 7 digits to the 15 of the longest international number (ITU-T
    /// E.164, 6.1), with or without `+`.
    private static func isDialable(_ text: Substring) -> Bool {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text
        return digits.allSatisfy(\.isNumber) && (7...15).contains(digits.utf8.count)
    }
}
