// SPDX-License-Identifier: GPL-3.0-or-later

/// The sounds of a country's telephone network, read from a file in `data/tone-plans`.
///
/// The file is plain text in UTF-8, at most 64 KiB. Empty lines, and text after a `#`, are ignored; every other line is
/// a name, a colon and a value:
///
///     country: United States
///     source: ITU-T E-series Supplement 3 (11/88), North American precise audible tone plan
///     dial: 350+440 @ -13 continuous
///     ringback: 440+480 @ -19 on 2000 off 4000
///     special-information: 985.2 @ -24 on 380, 1370.6 @ -24 on 274, 1776.7 @ -24 on 380 off 4000
///     call-waiting: 440 @ -13 on 300, once
///
/// `country` and each sound of `NetworkSound` occur once, and `source` at least once. A sound is one or more parts,
/// separated by commas. A part has up to four frequencies in hertz, joined by `+`, then `@` and their level in dBm0,
/// one for all or one for each, joined by `/`; then `on` and `off` with milliseconds, any number of times, or
/// `continuous` in the last part. A sound has at most sixteen segments. It is repeated for ever, unless it ends with
/// `once` or `3 times`.
public struct TonePlan: Hashable, Sendable {
    /// The greatest length of a file that is read, in bytes.
    public static let maximumSize = 65_536

    public let country: String
    /// The sources of the values; never empty.
    public let sources: [String]
    private let cadences: [NetworkSound: Cadence]

    /// Parses the contents of a file, or throws the first invalid line and the reason.
    public init(_ content: [UInt8]) throws(TonePlanError) {
        guard content.count <= Self.maximumSize else { throw TonePlanError(line: 1, problem: .tooLong) }
        var country: String?
        var sources: [String] = []
        var cadences: [NetworkSound: Cadence] = [:]
        var line = 0
        for bytes in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw TonePlanError(line: line, problem: .notText)
            }
            let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
            let statement = TonePlanReader.trimmed(text[..<end])
            guard !statement.isEmpty else { continue }
            do throws(TonePlanError.Problem) {
                let (name, value) = try TonePlanReader.statement(statement)
                switch name {
                case "country":
                    guard country == nil else { throw TonePlanError.Problem.twice("country") }
                    country = String(value)
                case "source": sources.append(String(value))
                default:
                    guard let sound = NetworkSound(rawValue: name) else {
                        throw TonePlanError.Problem.unknownName(name)
                    }
                    guard cadences[sound] == nil else { throw TonePlanError.Problem.twice(name) }
                    cadences[sound] = try TonePlanReader.cadence(value)
                }
            } catch {
                throw TonePlanError(line: line, problem: error)
            }
        }
        guard let country else { throw TonePlanError(line: line, problem: .missing("country")) }
        guard !sources.isEmpty else { throw TonePlanError(line: line, problem: .missing("source")) }
        for sound in NetworkSound.allCases where cadences[sound] == nil {
            throw TonePlanError(line: line, problem: .missing(sound.rawValue))
        }
        self.country = country
        self.sources = sources
        self.cadences = cadences
    }

    public subscript(sound: NetworkSound) -> Cadence { cadences[sound] ?? .silence }
}
