// SPDX-License-Identifier: GPL-3.0-or-later

/// The columns of a table whose headings name numbers or addresses of callers, as apps write them in their languages.
struct CallerColumns: Hashable, Sendable {
    var numbers: [Int] = []
    var addresses: [Int] = []

    /// Returns nil if no heading names such a column, or if the record already has a caller.
    init?(heading: [String]) {
        guard !heading.contains(where: { BlockListFile.caller($0) != nil }) else { return nil }
        let headings = heading.map(Self.words)
        numbers = headings.indices.filter { Self.names(headings[$0], Self.telephone) }
        // “Number” may be that of the row if another column is said to be that of the telephone.
        if numbers.isEmpty { numbers = headings.indices.filter { Self.isNumber(headings[$0]) } }
        addresses = headings.indices.filter {
            headings[$0].count == 1 && Self.address.contains(headings[$0][0])
                || Self.names(headings[$0], Self.network)
        }
        if numbers.isEmpty, addresses.isEmpty { return nil }
    }

    private static func names(_ words: [String], _ wanted: Set<String>) -> Bool {
        words.contains(where: wanted.contains) && !words.contains(where: others.contains)
    }

    private static func isNumber(_ words: [String]) -> Bool {
        guard let last = words.last, number.contains(last) else { return false }
        return words.dropLast().allSatisfy(ofCallers.contains)
    }

    /// Returns the words of a heading in lower case: `phoneNumber`, `phone_number` and “Phone number” have the same.
    private static func words(_ heading: String) -> [String] {
        var (words, word, wasLower) = ([String](), "", false)
        for scalar in heading.unicodeScalars.prefix(100) {
            let isPart =
                scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            if !isPart || (wasLower && scalar.properties.isUppercase) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isPart { word += scalar.properties.lowercaseMapping }
            wasLower = scalar.properties.isLowercase
        }
        return word.isEmpty ? words : words + [word]
    }

    private static let telephone: Set<String> = [
        "phone", "phones", "telephone", "tel", "mobile", "cell", "cellphone", "landline", "fax",
        "phonenumber", "msisdn",
        "rufnummer", "rufnummern", "telefon", "telefonnummer", "telefonnummern", "handy", "handynummer",
        "mobiltelefon",
        "mobilnummer", "téléphone", "teléfono", "telefono", "telefone", "móvil", "movil", "celular",
        "telefoon", "telefoonnummer",
        "電話", "電話番号", "携帯", "携帯電話", "هاتف", "الهاتف", "телефон",
    ]
    private static let number: Set<String> = [
        "number", "numbers", "pattern", "patterns", "caller", "callers", "nummer", "nummern", "numéro",
        "numero", "número",
        "番号", "رقم", "الرقم", "номер",
    ]
    /// The words that may stand before the word for a number.
    private static let ofCallers: Set<String> = [
        "blocked", "caller", "callers", "calling", "call", "from", "incoming", "contact", "spam", "gesperrte",
        "bloqué",
        "bloqueado",
    ]
    private static let address: Set<String> = [
        "address", "addresses", "adresse", "adressen", "dirección", "uri",
    ]
    private static let network: Set<String> = ["sip", "jabber", "xmpp", "jid"]
    /// Words of columns that say something about a number, or that have one of the user’s own.
    private static let others: Set<String> = [
        "type", "typ", "label", "name", "mail", "email", "count", "calls", "of", "id", "date", "time",
        "timestamp", "country", "own", "my",
        "eigene", "propre", "propio", "speed", "provider", "model", "status", "line", "format", "location",
    ]
}
