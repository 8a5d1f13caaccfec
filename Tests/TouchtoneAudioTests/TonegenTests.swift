// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneAudio
import TouchtoneCore

/// The tool that makes data/tones, as it was built with the tests.
@Suite struct TonegenTests {
    @Test func writesTheSetOfTheCheckoutToTheByte() throws {
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

    @Test func saysWhatIsWrongOnStandardErrorAndEndsWithTwo() throws {
        for (arguments, words) in [
            (["--nonsense"], "“--nonsense” is not understood"),
            (["--out"], "--out needs a folder"),
            (["--out", "/dev/null/tones"], "cannot make the folder"),
            (["--out", "/dev/null"], "cannot write “/dev/null/DTMF_00.wav”: Not a directory"),
        ] {
            let result = try run(arguments)
            #expect(result.status == 2)
            #expect(result.error.contains(words))
            #expect(result.output.isEmpty)
        }
    }

    @Test func helpIsOnStandardOutput() throws {
        let result = try run(["--help"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Usage: tonegen"))
        #expect(result.error.isEmpty)
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
