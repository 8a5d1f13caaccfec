// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// The message of which an engine dies is noted, and the next engine drops it.
    ///
    /// No such message is known, so an engine that is built for debugging dies of one that has a text in its header.
    @Suite struct RefusedMessages {
        private let note: String

        init() throws {
            note = "\(try TemporaryFolders.make("touchtone-sip-note"))/note"
            try Data().write(to: URL(fileURLWithPath: note))
        }

        private func engine(at registrar: ScriptedRegistrar, refusing refused: [Int] = []) throws
            -> EngineProcess
        {
            let engine = try EngineProcess(
                prefix: ["bash", "-c", "exec \"$0\" 3<>'\(note)'"],
                environment: ["TOUCHTONE_SIP_DEADLY": "Subject: deadly", "TOUCHTONE_HELPER_NOTE": "3"],
                refusedMessages: refused)
            #expect(engine.register(at: registrar, encryption: .off))
            return engine
        }

        /// The fingerprint of the message that the engine is handling; zero if it is handling none.
        private var noted: Int {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: note))) ?? Data()
            return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        private func invitation(
            _ callID: String, at registrar: ScriptedRegistrar, from caller: String = "caller", subject: String
        ) -> String {
            registrar.request(
                "INVITE", callID: callID, branch: "z9hG4bK-\(callID)", fields: "Subject: \(subject)\r\n",
                body: ScriptedRegistrar.session, from: "<sip:\(caller)@127.0.0.1>"
            ).replacingOccurrences(of: ";tag=caller", with: ";tag=\(callID)")
        }

        @Test func messageThatEndedTheEngineIsDropped() throws {
            let before = try ScriptedRegistrar()
            let first = try engine(at: before)
            before.send(invitation("one", at: before, subject: "harmless"))
            #expect(first.waitForCall() != nil)
            first.send(.heartbeat(1))
            #expect(first.wait(for: .heartbeat(1)))
            #expect(noted == 0, "it has been handled")
            before.send(invitation("two", at: before, subject: "deadly"))
            #expect(first.end() == 70)
            let print = noted
            #expect(print > 0)

            let after = try ScriptedRegistrar()
            let second = try engine(at: after, refusing: [1, print])
            // The same, as it comes again, and as its sender makes it again.
            after.send(invitation("two", at: after, subject: "deadly"))
            after.send(invitation("three", at: after, subject: "deadly"))
            #expect(after.isAnswered())
            // What others send is not dropped.
            after.send(invitation("four", at: after, subject: "harmless"))
            #expect(second.waitForCall() != nil)
            after.send(invitation("five", at: after, from: "other", subject: "harmless"))
            #expect(second.waitForCall() != nil)
            // The message of another caller is not refused.
            after.send(invitation("six", at: after, from: "other", subject: "deadly"))
            #expect(second.end() == 70)
        }
    }
}
