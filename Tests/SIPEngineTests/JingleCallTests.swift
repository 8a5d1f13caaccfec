// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of calls whose signalling is the phone's, between two engines.
    @Suite struct JingleCalls {
        private let caller: EngineProcess
        private let called: EngineProcess

        init() throws {
            (caller, called) = (try EngineProcess(), try EngineProcess())
        }

        /// Waits for the description of an engine's sound.
        private func description(_ engine: EngineProcess, _ id: SIPCallID = .dialled) throws
            -> MediaDescription
        {
            try #require(
                engine.wait { if case .call(id, .described(let media)) = $0 { media } else { nil } })
        }

        /// Connects the engines; `change` is what happens to the answer on its way.
        private func connect(
            _ id: SIPCallID = .dialled, change: (MediaDescription) throws -> MediaDescription = { $0 }
        ) throws {
            caller.send(.call(id, .prepareOffer(MediaRoute())))
            let offer = try description(caller, id)
            #expect(offer.role == .either && !offer.candidates.isEmpty)
            called.send(.call(id, .prepareAnswer(to: offer, MediaRoute())))
            let answer = try description(called, id)
            #expect(answer.role == .client || answer.role == .server)
            caller.send(.call(id, .connect(try change(answer))))
        }

        private func expectConnection(_ id: SIPCallID = .dialled) {
            #expect(caller.wait(for: .call(id, .connected)))
            #expect(called.wait(for: .call(id, .connected)))
        }

        /// Hangs up at both ends.
        private func hangUp(_ id: SIPCallID = .dialled) {
            for engine in [caller, called] {
                engine.send(.call(id, .hangUp))
                #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
            }
        }

        /// Returns a copy of a description.
        private func copy(
            _ media: MediaDescription, formats: [MediaDescription.Format]? = nil, fingerprint: String? = nil,
            role: MediaDescription.Role? = nil, candidates: [MediaDescription.Candidate]? = nil
        ) throws -> MediaDescription {
            let own = try #require(media.fingerprint)
            let hash = fingerprint ?? own.text
            let other = try #require(MediaDescription.Fingerprint(.sha256, hash))
            let copy = MediaDescription(
                formats: formats ?? media.formats, user: media.user, password: media.password,
                fingerprint: other, role: role ?? media.role, candidates: candidates ?? media.candidates)
            return try #require(copy)
        }

        @Test func enginesTalk() throws {
            try connect()
            expectConnection()
            #expect(caller.waitForEncryption(seconds: 5) == "DTLS-SRTP")
            caller.send(.call(.dialled, .sendKey("5")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("5"))))
            called.send(.call(.dialled, .sendKey("#")))
            #expect(caller.wait(for: .call(.dialled, .keyReceived("#"))))
            hangUp()
        }

        /// The far end learns of a hold by the phones, and keys arrive afterwards as before.
        @Test func callIsHeldAndResumed() throws {
            try connect()
            expectConnection()
            for (holder, held) in [(caller, called), (called, caller)] {
                for isHeld in [true, false] {
                    holder.send(.call(.dialled, isHeld ? .hold : .resume))
                    held.send(.call(.dialled, .setHeldByFarEnd(isHeld)))
                    #expect(held.wait(for: .call(.dialled, .heldByFarEnd(isHeld))))
                }
                holder.send(.call(.dialled, .sendKey("1")))
                #expect(held.wait(for: .call(.dialled, .keyReceived("1"))))
                held.send(.call(.dialled, .sendKey("2")))
                #expect(holder.wait(for: .call(.dialled, .keyReceived("2"))))
            }
            hangUp()
        }

        /// Addresses may come after the answer, or never: the far end's checks show them.
        @Test(arguments: [true, false]) func addressesComeLate(doTheyCome: Bool) throws {
            var late: [MediaDescription.Candidate] = []
            try connect {
                late = $0.candidates
                return try copy($0, candidates: [])
            }
            if doTheyCome { caller.send(.call(.dialled, .addCandidates(late))) }
            expectConnection()
            hangUp()
        }

        /// Addresses may also come when others are checked already, which lead nowhere here.
        @Test(arguments: [0, 50]) func addressesComeDuringTheChecks(wrong: Int) throws {
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(caller)
            called.send(
                .call(
                    .dialled,
                    .prepareAnswer(to: try copy(offer, candidates: [try Self.nowhere]), MediaRoute())))
            let answer = try description(called)
            caller.send(.call(.dialled, .connect(try copy(answer, candidates: [try Self.nowhere]))))
            // Only its checks can show the caller the way.
            for number in 0..<wrong {
                let one = try #require(
                    MediaDescription.Candidate(
                        foundation: "\(number)", priority: UInt32(number), address: "192.0.2.\(100 + number)",
                        port: 9, kind: number.isMultiple(of: 2) ? .srflx : .relay))
                for _ in 0..<2 { called.send(.call(.dialled, .addCandidates([one]))) }
            }
            called.send(.call(.dialled, .addCandidates(offer.candidates)))
            expectConnection()
            caller.send(.call(.dialled, .sendKey("5")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("5"))))
            // The list of addresses is as it was.
            for isHeld in [true, false] {
                called.send(.call(.dialled, isHeld ? .hold : .resume))
                caller.send(.call(.dialled, .setHeldByFarEnd(isHeld)))
                #expect(caller.wait(for: .call(.dialled, .heldByFarEnd(isHeld))))
            }
            hangUp()
        }

        /// An address that nobody has (RFC 5737).
        static var nowhere: MediaDescription.Candidate {
            get throws {
                try #require(
                    MediaDescription.Candidate(
                        foundation: "9", priority: 9, address: "192.0.2.9", port: 9, kind: .host))
            }
        }

        @Test func otherCertificateEndsTheCall() throws {
            try connect {
                try copy($0, fingerprint: Array(repeating: "AB", count: 32).joined(separator: ":"))
            }
            #expect(caller.waitForEnd(of: .dialled) == SIPEnd(.phone, isUnprotected: true))
        }

        /// A gateway's answer may leave the role open.
        @Test func openRoleIsThatOfTheClient() throws {
            try connect { try copy($0, role: .either) }
            expectConnection()
        }

        @Test func missingKeysAreTold() throws {
            try connect { try copy($0, formats: $0.formats.filter { $0.name == "opus" }) }
            #expect(caller.wait(for: .call(.dialled, .connected)))
            #expect(caller.wait(for: .call(.dialled, .keysRefused(true))))
            caller.send(.call(.dialled, .sendKey("1")))
            #expect(caller.waitForEncryption(seconds: 5) == "DTLS-SRTP")
        }

        @Test func answerWithoutSoundEndsTheCall() throws {
            try connect { try copy($0, formats: $0.formats.filter { $0.name == "telephone-event" }) }
            #expect(caller.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 488))
        }

        @Test func manyAddressesAreTaken() throws {
            let many = try (1...64).map {
                try #require(
                    MediaDescription.Candidate(
                        foundation: "\($0)", priority: UInt32($0), address: "192.0.2.\($0)", port: 9,
                        kind: .srflx))
            }
            try connect { try copy($0, candidates: many) }
            expectConnection()
        }

        /// Other programs of the machine send to all the ports that the engine has.
        @Test func strangersOfThisMachineAreIgnored() throws {
            try connect()
            expectConnection()
            let ports = try Self.ports(of: called)
            // How many there are depends on how far the checks of addresses have come.
            #expect(ports.count >= 2)
            let stranger = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(stranger) }
            for number in 1...2_000 {
                for port in ports {
                    let text =
                        "INVITE sip:a@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK\(number)\r\n"
                        + "From: <sip:a@127.0.0.1>;tag=\(number)\r\nTo: <sip:b@127.0.0.1>\r\nCall-ID: \(number)\r\n"
                        + "CSeq: 1 INVITE\r\nContact: <sip:a@127.0.0.1:9>\r\nContent-Length: 0\r\n\r\n"
                    Self.send(text, from: stranger, to: port)
                }
            }
            caller.send(.call(.dialled, .sendKey("7")))
            let event = called.wait { event -> SIPEvent? in
                if case .call(_, .keyReceived) = event { return event }
                if case .call(_, .incoming) = event { return event }
                return nil
            }
            #expect(event == .call(.dialled, .keyReceived("7")))
            hangUp()
        }

        private static func send(_ text: String, from descriptor: Int32, to port: UInt16) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(
                        descriptor, text, text.utf8.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        /// Returns the UDP ports that a process has.
        static func ports(of engine: EngineProcess) throws -> [UInt16] {
            let folder = "/proc/\(engine.processID)"
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")
            let sockets = Set(
                files.compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
                })
            return try ["udp", "udp6"].flatMap { name in
                try String(contentsOfFile: "\(folder)/net/\(name)", encoding: .utf8).split(separator: "\n")
                    .dropFirst().compactMap { line in
                        let words = line.split(separator: " ")
                        guard words.count > 9, sockets.contains("socket:[\(words[9])]") else { return nil }
                        return words[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
                    }
            }
        }

        @Test func callIsJoinedWithOneOverSIP() throws {
            let far = try ScriptedRegistrar()
            #expect(caller.register(at: far, encryption: .off))
            try connect()
            expectConnection()
            caller.send(.call(.second, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            #expect(!invite.contains("rtcp-mux"))
            #expect(!invite.contains("candidate"))
            far.answer(invite, session: ScriptedRegistrar.session, tag: "far")
            #expect(caller.wait(for: .call(.second, .answered)))
            caller.send(.call(.dialled, .join(with: .second)))
            // Its session may still have been changing, to the way that ICE has found.
            caller.send(.call(.dialled, .sendKey("4")))
            #expect(called.wait(for: .call(.dialled, .keyReceived("4"))))
            // Neither end can call the other without this phone.
            caller.send(.call(.dialled, .transfer(to: .second)))
            #expect(caller.wait(for: .call(.dialled, .transferRefused)))
        }

        @Test func callsFollowOneAnother() throws {
            for number in 1...20 {
                let id = SIPCallID(rawValue: 2 * number)
                try connect(id)
                expectConnection(id)
                hangUp(id)
            }
        }

        @Test func commandsInAnyOrderAreHarmless() throws {
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(caller)
            let candidates = offer.candidates
            let commands: [SIPCallCommand] = [
                .hold, .resume, .setHeldByFarEnd(true), .setMuted(true), .sendKey("1"), .measure, .answer,
                .ring, .connect(offer), .addCandidates(candidates), .join(with: .second), .declineAsBusy,
                .prepareOffer(MediaRoute()), .prepareAnswer(to: offer, MediaRoute()), .setHeldByFarEnd(false),
                .transferToAddress("sip:far@127.0.0.1"), .transfer(to: .second), .hangUp,
            ]
            var random = SystemRandomNumberGenerator()
            for number in 2...12 {
                let id = SIPCallID(rawValue: 2 * number)
                for command in commands.shuffled(using: &random) { called.send(.call(id, command)) }
                called.send(.call(id, .hangUp))
            }
            // The engine still works.
            let id = SIPCallID(rawValue: 100)
            called.send(.call(id, .prepareAnswer(to: offer, MediaRoute())))
            caller.send(.call(.dialled, .connect(try description(called, id))))
            #expect(caller.wait(for: .call(.dialled, .connected)))
            #expect(called.wait(for: .call(id, .connected)))
        }

        @Test func otherRoleInOfferIsRefused() throws {
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try copy(try description(caller), role: .server)
            called.send(.call(.dialled, .prepareAnswer(to: offer, MediaRoute())))
            #expect(called.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 488))
        }

        /// The server of the account may name machines that are off, or do not exist.
        @Test(arguments: [false, true]) func silentServersDoNotPreventCalls(areRelays: Bool) throws {
            let servers = ["192.0.2.77", "relay.invalid"].map {
                MediaServer(host: $0, isRelay: areRelays, user: "ada", password: "secret")
            }
            caller.send(.call(.dialled, .prepareOffer(MediaRoute(servers: servers))))
            let offer = try description(caller)
            #expect(!offer.candidates.isEmpty)
        }

        @Test func preparedCallIsCancelled() throws {
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(caller)
            caller.send(.call(.dialled, .hangUp))
            #expect(caller.waitForEnd(of: .dialled) == SIPEnd(.phone))
            called.send(.call(.dialled, .prepareAnswer(to: offer, MediaRoute())))
            called.send(.call(.dialled, .hangUp))
            #expect(called.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        /// The answering machine takes a call once its sound is connected.
        @Test func machineTakesCall() throws {
            let called = try EngineProcess(environment: ["TOUCHTONE_SIP_FILES": ""])
            let path = "\(try TemporaryFolders.make("touchtone-jingle"))/recording.ogg"
            let (greeting, file) = (open("/dev/null", O_RDONLY), MachineFixture.openForWriting(path))
            caller.send(.call(.dialled, .prepareOffer(MediaRoute())))
            let offer = try description(caller)
            called.send(.setGreeting, to: .dialled, with: greeting)
            called.send(.useMachine(limit: 60, isAloud: false), to: .dialled, with: file)
            [greeting, file].forEach { close($0) }
            called.send(.call(.dialled, .prepareAnswer(to: offer, MediaRoute())))
            caller.send(.call(.dialled, .connect(try description(called))))
            #expect(called.wait(for: .call(.dialled, .connected)))
            #expect(called.wait(for: .call(.dialled, .machineRecords)))
            usleep(2_000_000)
            caller.send(.call(.dialled, .sendKey("#")))
            let recorded = try #require(
                called.wait {
                    if case .call(.dialled, .recorded(let recorded)) = $0 { recorded } else { nil }
                })
            // The caller has a file with silence for a microphone.
            #expect(recorded.end == .key && recorded.isSilent && recorded.seconds > 1)
            #expect(called.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(abs(try DecodedSound(opus: path).length - recorded.seconds) < 0.2)
        }
    }
}
