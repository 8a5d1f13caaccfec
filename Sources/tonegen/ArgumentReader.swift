// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells options, their values and files apart.
struct ArgumentReader {
    private static let options: [String: String] = [
        "--out": "a folder", "--digits": "keys", "--sound": "a name", "--ring": "bell, warble or ding",
        "--pulse": "digits", "--on": "milliseconds", "--off": "milliseconds", "--plan": "a name",
        "--seconds": "a number", "--rate": "hertz", "--level": "decibels",
    ]
    private static let switches: Set<String> = ["--click", "--error", "--bench"]

    /// The options that have values.
    private(set) var values: [String: String] = [:]
    /// Those that have none.
    private(set) var flags: Set<String> = []
    /// What is no option.
    private(set) var files: [String] = []

    private var rest: ArraySlice<String>

    init(_ arguments: ArraySlice<String>) { rest = arguments }

    /// Whether help is asked for.
    var isHelp: Bool { rest.contains("--help") || rest.contains("-h") }

    /// Reads all of it.
    mutating func readAll() throws(Complaint) {
        while let argument = rest.popFirst() {
            if let wanted = Self.options[argument] {
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw Complaint("\(argument) needs \(wanted)")
                }
                guard values.updateValue(value, forKey: argument) == nil else {
                    throw Complaint("\(argument) stands twice")
                }
            } else if Self.switches.contains(argument) {
                flags.insert(argument)
            } else if argument.hasPrefix("-") && argument != "-" {
                throw Complaint("“\(argument)” is not understood; see tonegen --help")
            } else {
                files.append(argument)
            }
        }
    }

    /// Complains of options that say nothing here, and of files too many or too few.
    func allow(_ allowed: Set<String>, files count: Int) throws(Complaint) {
        let given = flags.union(values.keys)
        if let option = given.subtracting(allowed).min() {
            let with = flags.contains("--bench") ? "--bench" : given.intersection(Request.sounds).min()
            throw Complaint("\(option) says nothing \(with.map { "with \($0)" } ?? "without a sound")")
        }
        guard files.count >= count else { throw Complaint("which file to write is missing at the end") }
        guard files.count <= count else {
            throw Complaint("“\(files[count])” is too much; see tonegen --help")
        }
    }

    /// The value of an option, as a number in a range.
    func number(_ option: String, in range: ClosedRange<Double>, default preset: Double) throws(Complaint)
        -> Double
    {
        guard let text = values[option] else { return preset }
        guard let number = Self.plain(text) ? Double(text) : nil, range.contains(number) else {
            throw Complaint(
                "\(option) is from \(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound)), not “\(text)”"
            )
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
