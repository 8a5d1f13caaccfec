// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

/// An engine without sound devices whose answering machine is called, and the caller.
final class MachineFixture {
    let call: CallFixture
    let caller: SoundPeer
    private(set) var id = SIPCallID(rawValue: 1)
    private(set) var tag = ""
    private let folder: String

    var engine: EngineProcess { call.engine }
    var recording: String { "\(folder)/recording.ogg" }

    /// Registers the engine; without one, one that has no devices.
    init(_ engine: EngineProcess? = nil) throws {
        folder = try TemporaryFolders.make("touchtone-machine")
        call = try CallFixture(engine ?? EngineProcess(environment: ["TOUCHTONE_SIP_FILES": ""]))
        caller = try SoundPeer()
    }

    deinit { caller.end() }

    /// Returns a greeting of 450 Hz.
    func greeting(seconds: Double = 1) throws -> String {
        try Peer.require("sox", package: "sox")
        let path = "\(folder)/greeting-\(seconds).wav"
        _ = try output(of: [
            "sox", "-n", "-r", "16000", "-c", "1", path, "synth", "\(seconds)", "sine", "450", "vol", "0.3",
        ])
        return path
    }

    /// Returns a descriptor that the caller closes.
    static func openForWriting(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o600)
    }

    /// Calls the engine, and lets its machine answer.
    func answer(
        greeting: String? = nil, limit: Int = 60, isAloud: Bool = false, isPrepared: Bool = true
    ) throws {
        let session = ScriptedRegistrar.session(port: caller.port)
        call.far.send(call.far.request("INVITE", callID: call.callID, body: session))
        id = try #require(engine.waitForCall()).id
        let files = [
            open(try greeting ?? self.greeting(), O_RDONLY | O_CLOEXEC), Self.openForWriting(recording),
        ]
        defer { files.forEach { close($0) } }
        engine.send(.setGreeting, to: id, with: files[0])
        engine.send(.useMachine(limit: limit, isAloud: isAloud), to: id, with: files[1])
        engine.send(.call(id, .answer))
        let answer = try call.response()
        tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
        call.acknowledge(tag: tag)
        caller.connect(to: answer)
        #expect(engine.wait(for: .call(id, .answered)))
    }

    /// Waits until the message is recorded.
    func waitForRecording() -> Bool { engine.wait(for: .call(id, .machineRecords)) }

    /// Waits for the end of a recording.
    func waitForRecorded(seconds: Double = 15) throws -> SIPRecorded {
        try #require(
            engine.wait(seconds: seconds) {
                if case .call(self.id, .recorded(let recorded)) = $0 { recorded } else { nil }
            })
    }

    /// Hangs up as the caller.
    func hangUp(sequence: Int = 2) throws {
        #expect(try call.exchange("BYE", sequence: sequence, tag: tag).hasPrefix("SIP/2.0 200"))
    }

    /// Answers the end of the call by the engine.
    func expectEnd() throws {
        let bye = try #require(call.request("BYE"))
        call.far.reply(to: bye, "200 OK")
        #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
    }

    func decoded() throws -> DecodedSound { try DecodedSound(opus: recording) }
}
