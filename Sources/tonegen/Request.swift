// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneAudio
import TouchtoneCore

struct Request {
    /// The options that select a sound, of which only one can be given.
    static let sounds: Set<String> = ["--digits", "--sound", "--ring", "--pulse", "--click", "--error"]

    private static let common: Set<String> = ["--rate", "--level"]
    private static let longest = 3600.0
    private static let maximumKeys = 10_000

    let file: String

    private let content: Content
    private let rate: Int

    private enum Content {
        case keys(KeyToneScore)
        case sound(SoundScore, seconds: Double)
    }

    /// Parses the request; returns nil if no sound is requested.
    init?(_ reader: inout ArgumentReader) throws(CommandError) {
        let named = reader.flags.union(reader.values.keys).intersection(Self.sounds).sorted()
        guard let kind = named.first else { return nil }
        guard named.count == 1 else {
            throw CommandError(
                localized(
                    "{option} and {other} cannot be combined", ["option": named[0], "other": named[1]]))
        }
        let own: Set<String> =
            switch kind {
            case "--digits": ["--on", "--off"]
            case "--sound": ["--plan", "--seconds"]
            case "--ring": ["--seconds"]
            default: []
            }
        try reader.allow(own.union(Self.common).union([kind]), files: 1)
        file = reader.files[0]
        let rates = KeyToneScore.rates
        let rate = try reader.number(
            "--rate", in: Double(rates.lowerBound)...Double(rates.upperBound), default: 48_000)
        guard rate == rate.rounded() else {
            throw CommandError(localized("{option} must be a whole number", ["option": "--rate"]))
        }
        self.rate = Int(rate)
        let seconds = try reader.number("--seconds", in: 0.01...Self.longest, default: 6)
        let decibels = try reader.number("--level", in: Level.range, default: Level.standard.decibels)
        let level = reader.values["--level"] == nil ? nil : Level(decibels: decibels)
        let text = reader.values[kind] ?? ""
        switch kind {
        case "--digits": content = .keys(try Self.score(text, level, reader))
        case "--sound":
            let sound = try Self.cadence(text, plan: reader.values["--plan"] ?? "us")
            content = .sound(SoundScore(sound, level: level), seconds: seconds)
        case "--ring":
            content = .sound(SoundScore(try Self.ring(text), level: level), seconds: seconds)
        case "--pulse":
            content = .sound(SoundScore(try Self.pulses(text), level: level), seconds: Self.longest)
        case "--click": content = .sound(SoundScore(.keyClick, level: level), seconds: Self.longest)
        default: content = .sound(SoundScore(.errorTone, level: level), seconds: Self.longest)
        }
    }

    func write() throws(CommandError) {
        let samples =
            switch content {
            case .keys(let score): score.samples(rate: rate)
            case .sound(let score, let seconds): score.samples(rate: rate, seconds: seconds)
            }
        try OutputFile.write(WAVFile(samples: samples, rate: rate).bytes, to: file)
    }

    private static func score(_ text: String, _ level: Level?, _ reader: ArgumentReader) throws(CommandError)
        -> KeyToneScore
    {
        var score = KeyToneScore(try keys(text))
        guard score.keys.count <= maximumKeys else {
            throw CommandError(
                localizedPlural(
                    "{option} takes at most {count} key", "{option} takes at most {count} keys", maximumKeys,
                    ["option": "--digits"]))
        }
        score.tone = try reader.number("--on", in: 55...60_000, default: 300) / 1000
        score.pause = try reader.number("--off", in: 50...60_000, default: 100) / 1000
        score.level = level ?? .standard
        guard Double(score.keys.count) * (score.tone + score.pause) <= longest else {
            throw CommandError(localized("these tones would last longer than an hour"))
        }
        return score
    }

    private static func keys(_ text: String) throws(CommandError) -> [DTMFKey] {
        var keys: [DTMFKey] = []
        for character in text {
            guard let key = DTMFKey(Character(character.uppercased())) else {
                throw CommandError(
                    localized(
                        "“{character}” is not a key; use 0 to 9, *, # or A to D",
                        ["character": String(character)]))
            }
            keys.append(key)
        }
        return keys
    }

    private static func cadence(_ name: String, plan: String) throws(CommandError) -> PhoneSound {
        guard let sound = NetworkSound(rawValue: name) else {
            throw CommandError(
                localized(
                    "unknown network tone “{name}”; expected one of {names}",
                    ["name": name, "names": localizedList(NetworkSound.allCases.map(\.rawValue))]))
        }
        return .cadence(try PlanFile(plan).read()[sound])
    }

    private static func ring(_ name: String) throws(CommandError) -> PhoneSound {
        switch name {
        case "bell": .bell
        case "warble": .warble
        case "ding": .ding
        default:
            throw CommandError(
                localized(
                    "{option} must be bell, warble or ding, not “{name}”", ["option": "--ring", "name": name])
            )
        }
    }

    private static func pulses(_ text: String) throws(CommandError) -> PhoneSound {
        let keys = try keys(text)
        if let key = keys.first(where: { $0.rawValue > 9 }) {
            throw CommandError(
                localized("“{key}” cannot be pulse-dialled", ["key": String(key.character)]))
        }
        guard keys.count <= PhoneSound.maximumPulseDigits else {
            throw CommandError(
                localizedPlural(
                    "{option} takes at most {count} digit", "{option} takes at most {count} digits",
                    PhoneSound.maximumPulseDigits, ["option": "--pulse"]))
        }
        return .pulses(keys)
    }
}
