// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

/// An engine with an account at a scripted registrar, through which the far ends of its calls speak.
struct CallFixture {
    /// The registrar, and every far end behind it.
    let far: ScriptedRegistrar
    /// The engine, with the account `alice`.
    let engine: EngineProcess
    /// The Call-ID of the call to the engine.
    let callID = UUID().uuidString

    /// Registers an account without encryption.
    init() throws { try self.init(EngineProcess()) }

    /// Registers an account of an engine without encryption.
    init(_ engine: EngineProcess) throws {
        far = try ScriptedRegistrar()
        self.engine = engine
        #expect(engine.register(at: far, encryption: .off))
    }

    /// Makes the engine dial.
    ///
    /// Returns the INVITE.
    func dial(_ address: String = "sip:far@127.0.0.1") throws -> String {
        engine.send(.call(.dialled, .dial(account: "alice", address: address)))
        return try #require(far.receive { $0.hasPrefix("INVITE ") })
    }

    /// Returns the final response to a request in the call to the engine, or another one but 100.
    func response(sequence: Int = 1, _ method: String = "INVITE") throws -> String {
        try #require(
            far.receive {
                $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 100") && $0.contains(callID)
                    && $0.contains("CSeq: \(sequence) \(method)\r\n")
            })
    }

    /// Sends a request in the call to the engine.
    ///
    /// Returns the response.
    func exchange(
        _ method: String, sequence: Int, fields: String = "", body: String = "",
        from: String = ScriptedRegistrar.caller, tag: String
    ) throws -> String {
        far.send(
            far.request(
                method, callID: callID, sequence: sequence, fields: fields, body: body, from: from, toTag: tag
            ))
        let answer = try response(sequence: sequence, method)
        if method == "INVITE" { acknowledge(sequence: sequence, tag: tag) }
        return answer
    }

    /// Confirms the response to an INVITE in the call to the engine.
    func acknowledge(sequence: Int = 1, tag: String) {
        far.send(far.request("ACK", callID: callID, sequence: sequence, toTag: tag))
    }

    /// Calls the engine, which answers.
    ///
    /// Returns the call, the answer, and the tag of the engine's end with its name.
    func call(
        _ session: String = ScriptedRegistrar.session, fields: String = "", acknowledges: Bool = true
    ) throws -> (id: SIPCallID, answer: String, tag: String) {
        far.send(far.request("INVITE", callID: callID, fields: fields, body: session))
        let id = try #require(engine.waitForCall()).id
        engine.send(.call(id, .answer))
        let answer = try response()
        let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
        if acknowledges { acknowledge(tag: tag) }
        #expect(engine.wait(for: .call(id, .answered)))
        return (id, answer, tag)
    }

    /// Waits for a request of the engine's, to the far end with a tag if there is one.
    func request(_ method: String, tag: String? = nil, seconds: Double = 10) -> String? {
        far.receive(seconds: seconds) {
            $0.hasPrefix("\(method) ") && (tag == nil || ScriptedRegistrar.tag(of: "To", in: $0) == tag)
        }
    }

    /// Hangs up on the phone.
    func hangUp(_ id: SIPCallID) {
        engine.send(.call(id, .hangUp))
        #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
    }
}
