// SPDX-License-Identifier: GPL-3.0-or-later

// `make pot` extracts these calls from the source (CONTRIBUTING.md, “Translations”).

/// Returns a text in the user’s language.
///
/// - Parameters:
///   - text: The English text, with placeholders such as `{name}` for values that are known only at run time.
///   - values: The value of each placeholder, by name. Values are not searched for placeholders, and are inserted
///     unchanged; in text from right to left, between isolates, so that a number or a name keeps its order.
public func localized(_ text: StaticString, _ values: KeyValuePairs<String, String> = [:]) -> String {
    filled(Translation.current.text(text, context: nil), values)
}

/// Returns a text whose English form has different meanings; `context` explains this one to translators.
public func localizedIn(
    _ context: StaticString, _ text: StaticString, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    filled(Translation.current.text(text, context: context), values)
}

/// Returns the plural form of a text for a number of things, which `{count}` stands for.
public func localizedPlural(
    _ text: StaticString, _ plural: StaticString, _ count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let form = Translation.current.text(text, plural: plural, count: count)
    return filled(form, values + [(key: "count", value: localizedNumber(count))])
}

/// Returns a number in the format of the user’s locale, such as “1,234”.
public func localizedNumber(_ number: Int) -> String {
    if let text = Translation.current.number(number) { return text }
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text.append(",") }
        text.append(digit)
    }
    return text
}

/// Returns a count for a badge, which has room for two digits: “99+” stands for all greater ones.
public func localizedBadge(_ count: Int) -> String {
    guard count > 99 else { return localizedNumber(count) }
    // Translators: a badge with more than 99 new messages or calls.
    return localized("{number}+", ["number": localizedNumber(99)])
}

/// Returns parts joined as a list in the user’s language, such as “Home, Work”.
public func localizedList(_ parts: [String]) -> String {
    let separator = localizedIn("between the parts of a list", ", ")
    return (isRightToLeft(separator) ? parts.map(isolatedText) : parts).joined(separator: separator)
}

/// Returns parts side by side, such as a name and a time, in the direction of the user’s language.
public func localizedRow(_ parts: [String]) -> String {
    let isRightToLeft = isRightToLeft(localizedIn("between the parts of a list", ", "))
    return isRightToLeft
        ? rightToLeftMark + parts.map(isolatedText).joined(separator: " ") : parts.joined(separator: " ")
}

/// Wraps a text in Unicode isolates (FSI … PDI), which keep the order of its characters in any text around it, and that
/// of the text around it (Unicode Standard Annex 9).
public func isolatedText(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }

/// The first letter of a line that begins with a value: GTK 3 takes the direction of a line from its first letter, even
/// if that is between isolates.
private let rightToLeftMark = "\u{200F}"

private func isRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x590...0x8FF).contains($0.value) }
}

private func filled(_ text: String, _ values: some Collection<(key: String, value: String)>) -> String {
    guard !values.isEmpty else { return text }
    let isRightToLeft = isRightToLeft(text)
    let beginsWithValue = !text.prefix { $0 != "{" }.contains(where: \.isLetter)
    var result = isRightToLeft && beginsWithValue ? rightToLeftMark : ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
        result += rest[..<open]
        rest = rest[open...]
        let name = rest.dropFirst().prefix { $0 != "}" && $0 != "{" }
        if let value = values.first(where: { $0.key == name })?.value, rest[name.endIndex...].first == "}" {
            result += isRightToLeft ? isolatedText(value) : value
            rest = rest[name.endIndex...].dropFirst()
        } else {
            result += rest.prefix(1)
            rest = rest.dropFirst()
        }
    }
    return result + rest
}
