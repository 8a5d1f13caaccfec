// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

@Suite struct LibraryCheckTests {
    /// This system's libraries are known, and have all functions that the engine replaces or uses.
    @Test func engineKnowsItsLibraries() throws {
        #expect(try report() == [])
    }

    /// The engine says so, and goes on.
    @Test(arguments: [
        ("linphone_core_get_version", "liblinphone"), ("belle_sip_version_to_string", "belle-sip"),
    ])
    func otherVersionIsReported(function: String, library: String) throws {
        try Peer.require("cc", package: "gcc")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = "const char *\(function)(void) { return \"9.9.9\"; }\n"
        try source.write(toFile: "\(folder)/other.c", atomically: true, encoding: .utf8)
        _ = try output(of: ["cc", "-shared", "-fPIC", "-o", "\(folder)/other.so", "\(folder)/other.c"])
        let said = try report(environment: ["LD_PRELOAD": "\(folder)/other.so"])
        #expect(
            said == [
                "touchtone-sip: \(library) 9.9.9 has not been tried with Touchtone; calls may be less protected."
            ])
    }

    /// Returns the engine's own lines on standard error by the time at which it takes commands.
    private func report(environment: [String: String] = [:]) throws -> [Substring] {
        let engine = try EngineProcess(environment: environment)
        engine.send(.heartbeat(1))
        #expect(engine.wait(for: .heartbeat(1)))
        return engine.said.split(separator: "\n").filter { $0.hasPrefix("touchtone-sip: ") }
    }

    /// The builder of a package needs no account to ask the program.
    @Test func programThatIsStartedByHandReportsItsLibraries() throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = EngineProcess.program
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(text.hasPrefix("touchtone-sip is started by touchtone"))
        #expect(text.hasSuffix(" Its libraries are known.\n"), "\(text)")
    }

    @Test func streamThatHasEndedHasNoSource() { #expect(rtp_session_get_send_ssrc(nil) == 0) }

    @Test func onlyTriedVersionsAreKnown() {
        for version in ["5.1.65", "5.3.105"] { #expect(sipshims_knows_version(version)) }
        for version in ["5.4.2", "5.10.0", "6.1.0", "5.35.0", ""] {
            #expect(!sipshims_knows_version(version))
        }
    }

    /// The functions that a program lacks are found without being called, each once.
    @Test func missingFunctionsAreFound() throws {
        try Peer.require("cc", package: "gcc")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let head = "#include \"CSIPShims.h\"\n#include \"libraries.h\"\n#include <stdio.h>\n"
        let uses = "int never_there(void);\nUSES(never_there);\nUSES(puts);\n"
        let main = """
            int main(void) {
                size_t position = 0;
                for (const char *name; (name = sipshims_missing_function(&position));) puts(name);
            }

            """
        try (head + uses + main).write(toFile: "\(folder)/main.c", atomically: true, encoding: .utf8)
        try (head + uses).write(toFile: "\(folder)/other.c", atomically: true, encoding: .utf8)
        let sources = "\(Checkout.folder)/Sources/CSIPShims"
        _ = try output(of: [
            "cc", "-I", sources, "-I", "\(sources)/include", "-o", "\(folder)/check", "\(folder)/main.c",
            "\(folder)/other.c", "\(sources)/originals.c",
        ])
        let names = try output(of: ["\(folder)/check"]).split(separator: "\n")
        #expect(names.count { $0 == "never_there" } == 1)
        #expect(names.contains("belle_sip_message_parse_raw"))
        #expect(!names.contains("puts") && !names.contains("recvfrom"), "the C library has them")
    }

    /// Nothing is replaced or used that the check does not know.
    @Test func checkKnowsAllFunctions() throws {
        let folder = "\(Checkout.folder)/Sources/CSIPShims"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".c") }
        let known = try String(contentsOfFile: "\(folder)/originals.c", encoding: .utf8)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            #expect(!text.contains("#pragma weak"), "\(file) uses a function without USES")
            for match in text.matches(of: /dlsym\(RTLD_NEXT, "(\w+)"\)/) where match.1 != "pa_context_new" {
                #expect(known.contains("\"\(match.1)\","), "\(file) replaces \(match.1)")
            }
        }
    }
}
