// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Splits a command line into options, their values and files.
struct ArgumentReader {
    private static let options: [String: OptionValue] = [
        "--out": .folder, "--digits": .keys, "--sound": .name, "--ring": .ring, "--pulse": .digits,
        "--on": .milliseconds, "--off": .milliseconds, "--plan": .name, "--seconds": .number,
        "--rate": .hertz,
        "--level": .decibels,
    ]
    private static let switches: Set<String> = ["--click", "--error", "--bench"]

    /// The values of the options that take one.
    private(set) var values: [String: String] = [:]
    private(set) var flags: Set<String> = []
    /// The arguments that are not options.
    private(set) var files: [String] = []

    private var rest: ArraySlice<String>

    init(_ arguments: ArraySlice<String>) { rest = arguments }

    var isHelp: Bool { rest.contains("--help") || rest.contains("-h") }

    mutating func readAll() throws(CommandError) {
        while let argument = rest.popFirst() {
            if let wanted = Self.options[argument] {
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw CommandError(wanted.missing(after: argument))
                }
                guard values.updateValue(value, forKey: argument) == nil else {
                    throw CommandError(localized("{option} is given twice", ["option": argument]))
                }
            } else if Self.switches.contains(argument) {
                flags.insert(argument)
            } else if argument.hasPrefix("-") && argument != "-" {
                throw CommandError(
                    localized("unknown option “{option}”; see tonegen --help", ["option": argument]))
            } else {
                files.append(argument)
            }
        }
    }

    /// Throws an error for options that have no effect here, and for missing or extra files.
    func allow(_ allowed: Set<String>, files count: Int) throws(CommandError) {
        let given = flags.union(values.keys)
        if let option = given.subtracting(allowed).min() {
            let with = flags.contains("--bench") ? "--bench" : given.intersection(Request.sounds).min()
            guard let with else {
                throw CommandError(
                    localized("{option} has no effect without a sound", ["option": option]))
            }
            throw CommandError(
                localized("{option} has no effect with {other}", ["option": option, "other": with]))
        }
        guard files.count >= count else { throw CommandError(localized("missing output file")) }
        guard files.count <= count else { throw CommandError.unexpected(files[count]) }
    }

    func number(_ option: String, in range: ClosedRange<Double>, default preset: Double) throws(CommandError)
        -> Double
    {
        guard let text = values[option] else { return preset }
        guard let number = Self.plain(text) ? Double(text) : nil, range.contains(number) else {
            throw CommandError(
                localized(
                    "{option} must be from {least} to {most}, not “{text}”",
                    [
                        "option": option, "least": Self.shown(range.lowerBound),
                        "most": Self.shown(range.upperBound), "text": text,
                    ]))
        }
        return number
    }

    private static func plain(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789.-+".utf8.contains($0) }
    }

    private static func shown(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
