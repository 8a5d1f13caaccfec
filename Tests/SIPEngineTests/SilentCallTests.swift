// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Calls whose far end sends no sound.
    @Suite struct SilentCalls {
        @Test func silenceIsReportedUntilSoundComes() throws {
            let far = try ScriptedRegistrar()
            let engine = try EngineProcess(environment: ["TOUCHTONE_SIP_SILENCE": "1000"])
            #expect(engine.register(at: far, encryption: .off))
            far.send(far.request("INVITE", callID: "silent", body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .answer))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains("INVITE") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            far.send(far.request("ACK", callID: "silent", toTag: tag))
            #expect(engine.wait(for: .call(id, .silent(true))))
            let line = try #require(answer.components(separatedBy: "m=audio ").last)
            try sendSound(to: try #require(UInt16(line.prefix { $0.isNumber })))
            #expect(engine.wait(for: .call(id, .silent(false))))
            far.send(far.request("BYE", callID: "silent", sequence: 2, toTag: tag))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.farEnd))
        }

        /// Sends 60 ms of silence in PCMA (RFC 3551, section 4.5.14).
        private func sendSound(to port: UInt16) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(descriptor) }
            _ = try ScriptedRegistrar.bind(descriptor, to: "127.0.0.1")
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            target.sin_addr.s_addr = inet_addr("127.0.0.1")
            for number in UInt8(1)...3 {
                let header: [UInt8] = [0x80, 8, 0, number, 0, 0, number, 0, 1, 2, 3, 4]
                let packet = header + [UInt8](repeating: 0xD5, count: 160)
                _ = withUnsafePointer(to: &target) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        sendto(
                            descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size)
                        )
                    }
                }
            }
        }
    }
}
