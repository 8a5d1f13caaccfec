// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneAudio
import TouchtoneCore

/// Tests of the tool that creates data/tones, as built with the tests.
@Suite struct TonegenTests {
    @Test func writesBundledSetExactly() throws {
        try TemporaryFolder.with { folder in
            let made = "\(folder.path)/made/here"
            #expect(try run(["--out", made]).status == 0)
            let names = DTMFKey.allCases.map(\.fileName).sorted()
            #expect(try FileManager.default.contentsOfDirectory(atPath: made).sorted() == names)
            for name in names {
                let content = try Data(contentsOf: URL(fileURLWithPath: "\(made)/\(name)"))
                let kept = try Data(contentsOf: URL(fileURLWithPath: "\(Checkout.folder)/data/tones/\(name)"))
                #expect(content == kept, "\(name)")
            }
        }
    }

    @Test func reportsErrorsOnStandardErrorWithStatusTwo() throws {
        for (arguments, words) in [
            (["--nonsense"], "unknown option “--nonsense”"),
            (["--out"], "--out needs a folder"),
            (["--digits"], "--digits needs keys"),
            (["--out", "/dev/null/tones"], "cannot create the folder"),
            (["--out", "/dev/null"], "cannot write “/dev/null/DTMF_00.wav”: Not a directory"),
        ] {
            let result = try run(arguments)
            #expect(result.status == 2)
            #expect(result.error.contains(words))
            #expect(result.output.isEmpty)
        }
    }

    @Test(arguments: [
        ([], "missing output file"), (["a.wav", "b.wav"], "unexpected argument “b.wav”"),
        (["--rate", "7999", "a.wav"], "--rate must be from 8000 to 192000, not “7999”"),
        (["--rate", "8000.5", "a.wav"], "--rate must be a whole number"),
        (["--rate", "nan", "a.wav"], "not “nan”"), (["--rate", "", "a.wav"], "--rate needs hertz"),
        (["--level", "1", "a.wav"], "--level must be from -40 to 0"),
        (["--level", "1e1", "a.wav"], "not “1e1”"),
        (["--on", "54", "a.wav"], "--on must be from 55 to 60000"),
        (["--off", "49", "a.wav"], "--off must be from 50"),
        (["--on", "60", "--on", "70", "a.wav"], "--on is given twice"),
        (["--out", "a.wav", "a.wav"], "--out has no effect with --digits"),
        (["--plan", "us", "a.wav"], "--plan has no effect with --digits"),
        (["--seconds", "5", "a.wav"], "--seconds has no effect with --digits"),
        (["--click", "a.wav"], "--click and --digits cannot be combined"),
        (["--bench"], "--digits has no effect with --bench"), (["-x", "a.wav"], "unknown option “-x”"),
        (["/dev/null/a.wav"], "cannot write “/dev/null/a.wav”: Not a directory"),
        (["/dev/full"], "cannot write “/dev/full”: No space left on device"),
    ])
    func reportsInvalidOption(_ arguments: [String], words: String) throws {
        try refuses(["--digits", "555"] + arguments, words)
    }

    @Test(arguments: [
        (["--digits", "55x"], "“x” is not a key"),
        (["--digits", String(repeating: "1", count: 10_001)], "--digits takes at most 10,000 keys"),
        (["--digits", String(repeating: "1", count: 100), "--on", "60000"], "longer than an hour"),
        (["--pulse", "5*"], "“*” cannot be pulse-dialled"),
        (["--pulse", String(repeating: "1", count: 65)], "--pulse takes at most 64 digits"),
        (["--ring", "gong"], "--ring must be bell, warble or ding, not “gong”"),
        (["--sound", "hum"], "unknown network tone “hum”"),
        (["--sound", "busy", "--plan", "xx"], "no tone plan named “xx”"),
        (["--sound", "busy", "--plan", "/nowhere/x.plan"], "cannot read “/nowhere/x.plan”: No such file"),
        (["--sound", "busy", "--plan", "/"], "cannot read “/”: Is a directory"),
        (
            ["--sound", "busy", "--plan", "/dev/zero"],
            "/dev/zero: line 1: a tone plan can have at most 65536 bytes"
        ),
        (["--sound", "busy", "--seconds", "0"], "--seconds must be from 0.01 to 3600"),
        (["--plan", "us"], "--plan has no effect without a sound"), ([], "unexpected argument “a.wav”"),
    ])
    func reportsInvalidSound(_ arguments: [String], words: String) throws {
        try refuses(arguments + ["a.wav"], words)
    }

    @Test func malformedPlanIsRefusedWithItsLine() throws {
        try TemporaryFolder.with { folder in
            let plan = try folder.write(Array("country: X\n\nbusy: 440 @ -13 on 5\n".utf8), "x.plan")
            try refuses(
                ["--plan", plan, "--sound", "busy", "\(folder.path)/a.wav"],
                "x.plan: line 3: “5” is not a duration from 10 to 600000 ms")
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/a.wav"))
        }
    }

    @Test func writesKeysOfRequestedLength() throws {
        for rate in [8000, 44_100, 48_000] {
            let (samples, written) = try made(
                ["--digits", "5551234*#d", "--on", "80", "--off", "60", "--level", "-3", "--rate", "\(rate)"])
            #expect(written == rate)
            #expect(samples.count == rate * (10 * 80 + 9 * 60) / 1000)
            let peak = Double(samples.map { abs(Int($0)) }.max() ?? 0) / 32767
            #expect(abs(20 * log10(peak) + 3) < 0.3)
        }
    }

    @Test func writesSoundsOfPhone() throws {
        let plan = try TonePlan(
            [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(Checkout.folder)/data/tone-plans/gb.plan"))))
        let ringback = SoundScore(.cadence(plan[.ringback]))
        for (arguments, expected) in [
            (["--plan", "gb", "--sound", "ringback"], ringback.samples(rate: 48_000, seconds: 6)),
            (
                ["--plan", "gb", "--sound", "ringback", "--seconds", "2.5", "--rate", "8000"],
                ringback.samples(rate: 8000, seconds: 2.5)
            ),
            (["--ring", "bell"], SoundScore(.bell).samples(rate: 48_000, seconds: 6)),
            (["--ring", "ding"], SoundScore(.ding).samples(rate: 48_000, seconds: 6)),
            (["--ring", "warble"], SoundScore(.warble).samples(rate: 48_000, seconds: 6)),
            (
                ["--pulse", "5550"],
                SoundScore(.pulses([.five, .five, .five, .zero])).samples(rate: 48_000, seconds: 9)
            ),
            (["--click"], SoundScore(.keyClick).samples(rate: 48_000, seconds: 9)),
            (
                ["--error", "--level", "-20"],
                SoundScore(.errorTone, level: Level(decibels: -20)).samples(rate: 48_000, seconds: 9)
            ),
        ] {
            #expect(try made(arguments).samples == expected, "\(arguments)")
        }
        let (american, _) = try made(["--sound", "busy"])
        #expect(abs(Component(near: 620, in: american[300..<23_000], rate: 48_000).frequency - 620) < 0.6)
    }

    @Test func benchReportsSpeed() throws {
        let result = try run(["--bench"])
        #expect(result.status == 0)
        for name in ["key pair", "cadence of four tones", "bell"] {
            #expect(result.output.contains("\(name): "))
        }
        #expect(result.output.contains(" million samples/s"))
    }

    @Test func helpIsOnStandardOutput() throws {
        let result = try run(["--help"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Usage: tonegen"))
        #expect(result.error.isEmpty)
    }

    private func refuses(_ arguments: [String], _ words: String) throws {
        let result = try run(arguments)
        #expect(result.status == 2)
        #expect(result.error.hasPrefix("tonegen: ") && result.error.contains(words), "\(result.error)")
        #expect(result.error.split(separator: "\n").count == 1 && result.output.isEmpty)
    }

    /// Returns the samples that the tool writes, and their rate.
    private func made(_ arguments: [String]) throws -> (samples: [Int16], rate: Int) {
        try TemporaryFolder.with { folder in
            let path = "\(folder.path)/made.wav"
            let result = try run(arguments + [path])
            #expect(result.status == 0, "\(result.error)")
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let rate = bytes[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
            return (
                stride(from: 44, to: bytes.count - 1, by: 2).map {
                    Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
                }, rate
            )
        }
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, error: String) {
        let process = Process()
        let output = Pipe()
        let error = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("tonegen")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }
}
