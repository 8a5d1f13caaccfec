// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneCore

@Suite struct TonePlanTests {
    private static let folder = "\(Checkout.folder)/data/tone-plans"
    private static let names = ["de", "fr", "gb", "it", "itu", "jp", "us"]

    @Test(arguments: names) func bundledPlanIsRead(_ name: String) throws {
        let plan = try TonePlan(content("\(name).plan"))
        #expect(!plan.country.isEmpty)
        #expect(!plan.sources.isEmpty && plan.sources.allSatisfy { !$0.isEmpty })
        for sound in NetworkSound.allCases {
            #expect(plan[sound].segments.contains { !$0.tones.isEmpty }, "\(sound) is silent")
        }
    }

    @Test func everyBundledPlanIsTested() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(files.sorted() == Self.names.map { "\($0).plan" })
    }

    @Test func americanPlanIsPreciseTonePlan() throws {
        let plan = try TonePlan(content("us.plan"))
        #expect(plan.country == "United States")
        #expect(plan[.dial] == cadence([(tones(-13, 350, 440), nil)]))
        #expect(plan[.ringback] == cadence([(tones(-19, 440, 480), 2000), ([], 4000)]))
        #expect(plan[.busy] == cadence([(tones(-24, 480, 620), 500), ([], 500)]))
        #expect(plan[.reorder] == cadence([(tones(-24, 480, 620), 250), ([], 250)]))
        #expect(plan[.offHook] == cadence([(tones(-9, 1400, 2060, 2450, 2600), 100), ([], 100)]))
        let information = plan[.specialInformation].segments
        #expect(information.map(\.milliseconds) == [380, 274, 380, 4000])
        #expect(information.map { $0.tones.first?.frequency } == [985.2, 1370.6, 1776.7, nil])
    }

    @Test func europeanRingbacksDiffer() throws {
        #expect(
            try TonePlan(content("gb.plan"))[.ringback]
                == cadence([
                    (tones(-13, 400, 450), 400), ([], 200), (tones(-13, 400, 450), 400), ([], 2000),
                ]))
        #expect(
            try TonePlan(content("de.plan"))[.ringback] == cadence([(tones(-10, 425), 1000), ([], 4000)]))
        #expect(
            try TonePlan(content("fr.plan"))[.ringback] == cadence([(tones(-10, 440), 1500), ([], 3500)]))
    }

    @Test func readsEveryCadenceNotation() throws {
        for (text, expected) in [
            ("440@-13 continuous", cadence([(tones(-13, 440), nil)])),
            ("440 + 480 @ -19/-20 on 10", cadence([(tones(-19, 440) + tones(-20, 480), 10)])),
            ("440 @ -13 on 300, once", cadence([(tones(-13, 440), 300)], cycles: 1)),
            ("440 @ -13 on 300 , 12  times", cadence([(tones(-13, 440), 300)], cycles: 12)),
            (
                "20 @ -60 on 100 off 100 on 600000, 3800 @ -9 continuous",
                cadence([
                    (tones(-60, 20), 100), ([], 100), (tones(-60, 20), 600_000), (tones(-9, 3800), nil),
                ])
            ),
            ("440.25 @ -9.5\ton 10\r", cadence([(tones(-9.5, 440.25), 10)])),
            ("440 @ -13 on 10  # louder: 480", cadence([(tones(-13, 440), 10)])),
        ] {
            #expect(try TonePlan(plan(dial: text))[.dial] == expected, "\(text)")
        }
        let sixteen = String(repeating: " on 10 off 20", count: 8)
        #expect(try TonePlan(plan(dial: "440 @ -13\(sixteen)"))[.dial].segments.count == 16)
    }

    @Test(arguments: [
        ("", TonePlanError.Problem.notAStatement),
        ("440 on 300", .expected("“@” and a level", found: "440")),
        ("440 @ -13", .expected("“on” or “continuous”", found: "")),
        ("440 @ -13 on", .duration("")), ("440 @ -13 on 9", .duration("9")),
        ("440 @ -13 on 600001", .duration("600001")), ("440 @ -13 on -300", .duration("-300")),
        ("440 @ -13 on 3e2", .duration("3e2")),
        ("440 @ -13 on 99999999999999999999", .duration("99999999999999999999")),
        ("440 @ -13 on 300 of 300", .expected("“on” or “off”", found: "of")),
        ("440 @ -13 on 300 continuous", .expected("“on” or “off”", found: "continuous")),
        ("440 @ -13 continuous on 300", .afterContinuous),
        ("440 @ -13 continuous, 480 @ -13 on 300", .afterContinuous),
        ("19 @ -13 continuous", .frequency("19")), ("3801 @ -13 continuous", .frequency("3801")),
        ("nan @ -13 continuous", .frequency("nan")), ("0x1b8 @ -13 continuous", .frequency("0x1b8")),
        ("1e3 @ -13 continuous", .frequency("1e3")), ("440+ @ -13 continuous", .frequency("")),
        ("440 @ -8.9 continuous", .level("-8.9")), ("440 @ -61 continuous", .level("-61")),
        ("440 @ -inf continuous", .level("-inf")), ("440 @ continuous", .level("")),
        ("440+480 @ -13/ continuous", .level("")), ("440+480 @ -13/-14/-15 continuous", .levelCount),
        ("300+400+500+600+700 @ -20 continuous", .tooManyFrequencies),
        ("440 @ -13 on 300, 0 times", .times("0")), ("440 @ -13 on 300, 1001 times", .times("1001")),
        ("440 @ -13 on 300,", .expected("“@” and a level", found: "")),
        ("440 @ -13 \(String(repeating: "on 10 ", count: 17))", .tooManySegments),
    ])
    func refusesInvalidCadenceWithItsLine(_ text: String, problem: TonePlanError.Problem) {
        // A header of two lines and a comment precede the sound.
        #expect(throws: TonePlanError(line: 4, problem: problem)) { try TonePlan(plan(dial: text)) }
    }

    @Test func refusesInvalidPlanWithItsLine() {
        let whole = plan(dial: "440 @ -13 continuous")
        let text = String(decoding: whole, as: UTF8.self)
        let last = text.split(separator: "\n", omittingEmptySubsequences: false).count
        for (content, line, problem) in [
            (Array("\n\nhello\n".utf8), 3, TonePlanError.Problem.notAStatement),
            (Array(": 440 @ -13 on 10".utf8), 1, .notAStatement),
            (Array("Dial: 440 @ -13 on 10".utf8), 1, .unknownName("Dial")),
            (Array("\n".utf8) + [0xFF, 0x3A], 2, .notText),
            (whole + Array("busy: 440 @ -13 on 10".utf8), last, .twice("busy")),
            (whole + Array("country: Elsewhere".utf8), last, .twice("country")),
            (Array(text.replacing("country", with: "source").utf8), last, .missing("country")),
            (Array(text.replacing("source: a book", with: "").utf8), last, .missing("source")),
            (Array(text.replacing("busy: ", with: "# ").utf8), last, .missing("busy")),
            ([], 1, .missing("country")),
            ([UInt8](repeating: 10, count: 65_537), 1, .tooLong),
        ] {
            #expect(throws: TonePlanError(line: line, problem: problem)) { try TonePlan(content) }
        }
        #expect(throws: Never.self) {
            try TonePlan(whole + [UInt8](repeating: 10, count: 65_536 - whole.count))
        }
    }

    @Test func messageIsOneShortLineWithLineNumber() {
        let hostile = "440\u{1B}[2J\u{0}" + String(repeating: "x", count: 60_000)
        do {
            _ = try TonePlan(plan(dial: "\(hostile) @ -13 continuous"))
            Issue.record("it is read")
        } catch {
            #expect(error.message.hasPrefix("line 4: “440?[2J?xxx"))
            #expect(error.message.count < 120)
        }
        #expect(
            TonePlanError(line: 7, problem: .expected("“off”", found: "of")).message
                == "line 7: expected “off”, found “of”")
    }

    @Test(arguments: Seeds.all) func anyBytesAreReadOrRefused(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(throws: TonePlanError.self) { try TonePlan(bytes) }
        }
        // Plans with a few changed bytes get much further through the parser.
        let whole = plan(dial: "350+440 @ -13/-14 on 100 off 100, 440 @ -9 continuous")
        var refused = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if (try? TonePlan(bytes)) == nil { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test func cadenceOutOfBoundsIsRefused() {
        #expect(Cadence([]) == nil)
        #expect(Cadence.Tone(frequency: .nan, level: -10) == nil)
        #expect(Cadence.Tone(frequency: 440, level: .nan) == nil)
        #expect(Cadence.Tone(frequency: 440, level: 0) == nil)
        #expect(Cadence.Segment(tones(-10, 300, 400, 500, 600, 700), milliseconds: 10) == nil)
        #expect(Cadence.Segment([], milliseconds: 0) == nil)
        guard let endless = Cadence.Segment([], milliseconds: nil),
            let short = Cadence.Segment([], milliseconds: 10)
        else {
            Issue.record("a silence cannot be made")
            return
        }
        #expect(Cadence([endless, short]) == nil)
        #expect(Cadence([short], cycles: 0) == nil)
        #expect(Cadence([Cadence.Segment](repeating: short, count: 17)) == nil)
        #expect(Cadence([short, endless]) != nil)
    }

    private func content(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
    }

    /// Returns a plan with this dial tone in its fourth line.
    private func plan(dial: String) -> [UInt8] {
        let others = NetworkSound.allCases.dropFirst().map { "\($0.rawValue): 425 @ -10 on 200 off 200" }
        return Array(
            ("country: Nowhere\nsource: a book\n# This is a comment.\ndial: \(dial)\n"
                + others.joined(separator: "\n") + "\n").utf8)
    }

    private func tones(_ level: Double, _ frequencies: Double...) -> [Cadence.Tone] {
        frequencies.compactMap { Cadence.Tone(frequency: $0, level: level) }
    }

    private func cadence(_ parts: [([Cadence.Tone], Int?)], cycles: Int? = nil) -> Cadence? {
        Cadence(parts.compactMap { Cadence.Segment($0, milliseconds: $1) }, cycles: cycles)
    }
}
