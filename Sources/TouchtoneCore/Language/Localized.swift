// SPDX-License-Identifier: GPL-3.0-or-later

// A command reads these calls from the source to make the list for translators (CONTRIBUTING.md, “Translations”).

/// Returns a text in the user's language.
///
/// - Parameters:
///   - text: the English text, with placeholders such as `{name}` for what is known only when the program runs.
///   - values: the value of each placeholder, by its name. They are inserted as they are, and not read for placeholders.
public func localized(_ text: StaticString, _ values: KeyValuePairs<String, String> = [:]) -> String {
    filled(Translation.current.text(text, context: nil), values)
}

/// Returns a text in the user's language whose English form means different things in different places.
///
/// - Parameters:
///   - context: a few words that tell translators the meaning. They are not shown.
///   - text: the English text, with placeholders as in `localized(_:_:)`.
///   - values: the value of each placeholder, by its name.
public func localizedIn(
    _ context: StaticString, _ text: StaticString, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    filled(Translation.current.text(text, context: context), values)
}

/// Returns the form of a text in the user's language for a number of things.
///
/// - Parameters:
///   - text: the English text for one thing, with placeholders as in `localized(_:_:)`; `{count}` is the number.
///   - plural: the English text for any other number of things.
///   - count: the number of things.
///   - values: the value of each other placeholder, by its name.
public func localizedPlural(
    _ text: StaticString, _ plural: StaticString, _ count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let form = Translation.current.text(text, plural: plural, count: count)
    return filled(form, values + [(key: "count", value: localizedNumber(count))])
}

/// Returns a number as the user's locale writes it, such as “1,234”.
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

/// Returns parts as a list in the user's language, such as “Home, Work”.
public func localizedList(_ dependencies: [String]) -> String {
    dependencies.joined(separator: localizedIn("between the parts of a list", ", "))
}

private func filled(_ text: String, _ values: some Collection<(key: String, value: String)>) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
        result += rest[..<open]
        rest = rest[open...]
        let name = rest.dropFirst().prefix { $0 != "}" && $0 != "{" }
        if let value = values.first(where: { $0.key == name })?.value, rest[name.endIndex...].first == "}" {
            result += value
            rest = rest[name.endIndex...].dropFirst()
        } else {
            result += rest.prefix(1)
            rest = rest.dropFirst()
        }
    }
    return result + rest
}
