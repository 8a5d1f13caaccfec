// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages

extension SIPMailbox {
    /// Reads a summary of messages (RFC 3842, section 5.2); nil if it does not say whether any wait.
    init?(summary: some Collection<UInt8>) {
        let lines = String(decoding: summary, as: UTF8.self).split(whereSeparator: \.isNewline)
        var (isWaiting, count, address) = (Bool?.none, Int?.none, "")
        for line in lines.prefix(Self.mostLines) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { Self.isBlank($0) }
            switch line[..<colon].lowercased().filter({ !Self.isBlank($0) }) {
            case "messages-waiting":
                switch value.lowercased().prefix(while: { !Self.isBlank($0) }) {
                case "yes": isWaiting = true
                case "no": isWaiting = false
                default: return nil
                }
            case "voice-message": count = count ?? Self.count(of: value)
            case "message-account": if address.isEmpty { address = Self.address(value) }
            default: break
            }
        }
        guard let isWaiting else { return nil }
        self.init(newMessages: isWaiting ? count : 0, address: address)
    }

    private static let mostLines = 64

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// Reads the number of new messages, as in `2/8 (0/2)`; nil if it is none.
    private static func count(of value: Substring) -> Int? {
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, value[digits.endIndex...].drop(while: isBlank).first == "/" else { return nil }
        return digits.count > 9 ? maximumCount : Int(digits).map { min($0, maximumCount) }
    }

    private static func address(_ value: Substring) -> String {
        let text = value.prefix { !isBlank($0) }
        return AssertedIdentities.from(text.contains("<") ? String(text) : "<\(text)>")?.address ?? ""
    }
}
