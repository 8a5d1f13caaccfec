// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport

/// A registrar that sends spoilt messages in any order, while the phone makes, takes and changes calls.
final class CallFuzzer {
    /// A message after which the engine no longer answered.
    struct Death: Error, CustomStringConvertible {
        let round: UInt64
        let fault: String
        let messages: [String]

        var description: String {
            "round \(round): the engine \(fault) after these messages:\n"
                + messages.joined(separator: "\n----\n").replacingOccurrences(of: "\0", with: "\\0")
        }
    }

    private let registrar: FuzzedRegistrar
    private let engine: EngineProcess
    private var change = MessageMutations(seed: 0)
    private var round: UInt64 = 0
    private var sent: [String] = []
    /// The last INVITE of the engine.
    private var invite = ""
    /// The tag of the engine in the call that it takes, and its Call-ID.
    private var taken = (callID: "", tag: "")
    private var sequence = 100
    private var nextID = 2

    /// Starts an engine with an account.
    init(over transport: SIPAccount.Transport = .udp) throws {
        engine = try EngineProcess()
        registrar = try FuzzedRegistrar(transport)
        guard registrar.register(engine) else { throw CocoaError(.featureUnsupported) }
        // Before its first call, the engine makes a certificate, and answers nothing meanwhile.
        let first = SIPCallID(rawValue: nextID)
        engine.send(.call(first, .dial(account: "alice", address: "sip:far@127.0.0.1")))
        guard let invite = registrar.receive(seconds: 120, where: { $0.hasPrefix("INVITE ") }) else {
            throw CocoaError(.featureUnsupported)
        }
        registrar.send(ScriptedRegistrar.response(to: invite, "486 Busy Here"))
        guard engine.waitForEnd(of: first) != nil else { throw CocoaError(.featureUnsupported) }
        nextID += 2
    }

    /// Runs the round with a number, which alone determines what happens in it.
    ///
    /// - Throws: `Death` if the engine ends or does not answer.
    func run(round: UInt64) throws {
        self.round = round
        change = MessageMutations(seed: round)
        (invite, taken) = ("", ("", ""))
        note("round \(round)")
        switch change.number(below: 6) {
        case 0, 1: try outgoing()
        case 2, 3: try incoming()
        case 4: try registration()
        default: for _ in 0..<5 { try send(request(method, callID: UUID().uuidString, tag: "")) }
        }
        for id in [SIPCallID(rawValue: nextID)] + ringing { engine.send(.call(id, .hangUp)) }
        ringing = []
        nextID += 2
        try probe()
    }

    /// Remembers what was done, for the report of a death.
    private func note(_ text: String) { sent = sent.suffix(79) + [text] }

    /// Calls that came in.
    private var ringing: [SIPCallID] = []

    private var method: String {
        change.any(SIPEngineTests.EmptyFields.methods + ["INVITE", "INVITE", "PUBLISH", "REGISTER", "XYZ"])
    }

    private func outgoing() throws {
        engine.send(.call(SIPCallID(rawValue: nextID), .dial(account: "alice", address: "sip:far@127.0.0.1")))
        let deadline = Date(timeIntervalSinceNow: 2)
        while invite.isEmpty, Date.now < deadline { try probe() }
        guard !invite.isEmpty else { return }
        for _ in 0...change.number(below: 5) { try respond(to: invite) }
        try talk(
            callID: ScriptedRegistrar.field("Call-ID", in: invite),
            tag: ScriptedRegistrar.tag(of: "From", in: invite), id: SIPCallID(rawValue: nextID))
    }

    private func incoming() throws {
        let callID = UUID().uuidString
        try send(request("INVITE", callID: callID, tag: ""))
        while let call = engine.waitForCall(seconds: 0.01) { ringing.append(call.id) }
        guard let id = ringing.last else { return }
        engine.send(.call(id, .ring))
        if change.number(below: 4) != 0 { engine.send(.call(id, .answer)) }
        try probe()
        try talk(callID: callID, tag: taken.callID == callID ? taken.tag : "", id: id)
    }

    private func registration() throws {
        engine.send(.refresh)
        guard let request = registrar.receiveRegistration(seconds: 20) else {
            throw death("does not register")
        }
        for _ in 0...change.number(below: 3) { try respond(to: request) }
        registrar.acceptRegistration(request)
        try probe()
        // A refusal may be final, as that of the password: until the account is set again, nothing is tried.
        guard registrar.setAccount(of: engine) else { throw death("does not register again") }
        try probe()
    }

    /// Returns the death of the engine, with what it has told the phone since it was read last.
    private func death(_ fault: String) -> Death {
        nextID += 2
        engine.send(.heartbeat(nextID))
        _ = engine.waitForMessage(seconds: 1) { event -> Bool? in
            note("\(event)")
            return event == .heartbeat(nextID) ? true : nil
        }
        return Death(round: round, fault: engine.isRunning ? fault : "has ended", messages: sent)
    }

    /// Sends requests in a call, and lets the phone change it.
    private func talk(callID: String, tag: String, id: SIPCallID) throws {
        for _ in 0...change.number(below: 6) {
            switch change.number(below: 4) {
            case 0:
                let command: SIPCommand = change.any([
                    .call(id, .hold), .call(id, .resume), .call(id, .setMuted(true)),
                    .call(id, .sendKey("5")), .call(id, .measure), .call(id, .answer),
                    .call(id, .transferToAddress("sip:x@127.0.0.1")), .call(id, .hangUp),
                    .call(id, .startText), .call(id, .startText), .call(id, .sendText("a\u{8}é")),
                ])
                note("\(command)")
                engine.send(command)
                try probe()
                if !invite.isEmpty { try respond(to: invite) }
            case 1 where !invite.isEmpty: try respond(to: invite)
            default: try send(request(method, callID: callID, tag: tag.isEmpty ? "" : ";tag=\(tag)"))
            }
        }
    }

    private func respond(to request: String) throws {
        let status = change.any([
            "100 Trying", "180 Ringing", "183 Progress", "200 OK", "200 OK", "202 Accepted", "300 Many",
            "301 Moved",
            "302 Moved", "305 Proxy", "380 Other", "400 Bad", "401 Who", "407 Who", "403 No", "404 No",
            "408 Late",
            "415 No", "420 No", "422 Short", "423 Brief", "481 No", "486 Busy", "487 End", "488 No", "489 No",
            "491 Wait", "494 No", "500 No", "503 No", "600 Busy", "603 No", "606 No", "699 No", "199 Early",
        ])
        var fields = "Contact: <sip:far@127.0.0.1:\(registrar.port)>\r\n"
        if status.hasPrefix("401") {
            fields += "WWW-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"n\", qop=\"auth\"\r\n"
        }
        if status.hasPrefix("407") {
            fields += "Proxy-Authenticate: Digest realm=\"127.0.0.1\", nonce=\"n\"\r\n"
        }
        if status.hasPrefix("422") { fields += "Min-SE: 100\r\n" }
        if status.hasPrefix("2") || status.hasPrefix("183") || change.number(below: 8) == 0 {
            fields += "Content-Type: application/sdp\r\nSession-Expires: 1800;refresher=uac\r\n"
            try send(ScriptedRegistrar.response(to: request, status, fields, body: session))
        } else {
            try send(ScriptedRegistrar.response(to: request, status, fields))
        }
    }

    private var session: String {
        change.any([
            ScriptedRegistrar.session, ScriptedRegistrar.session, SIPEngineTests.Secrets.sdes,
            SIPEngineTests.Secrets.dtls, ScriptedRegistrar.session + Self.text,
            SIPEngineTests.Secrets.dtls
                + Self.text.replacingOccurrences(of: "RTP/AVP", with: "UDP/TLS/RTP/SAVP"),
        ])
    }

    /// Real-time text, for the end of a session.
    private static let text =
        "m=text 40002 RTP/AVP 100 98\r\na=rtpmap:98 t140/1000\r\na=rtpmap:100 red/1000\r\n"
        + "a=fmtp:100 98/98/98\r\n"

    private func request(_ method: String, callID: String, tag: String) -> String {
        sequence += 1
        var fields = change.any([
            "", "Require: 100rel\r\n", "Supported: replaces, timer, 100rel\r\nSession-Expires: 1800\r\n",
            "Refer-To: <sip:x@127.0.0.1>\r\nReferred-By: <sip:y@127.0.0.1>\r\n",
            "Refer-To: <sip:x@127.0.0.1?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>\r\n",
            "Replaces: a;to-tag=b;from-tag=c\r\n",
            "P-Asserted-Identity: \"A\" <sip:a@b>\r\nPrivacy: id\r\nDiversion: <sip:d@e>;reason=busy\r\n",
            "Record-Route: <sip:127.0.0.1;lr>\r\nSubject: s\r\nCall-Info: <http://a/b>\r\nContent-Encoding: gzip\r\n",
            "Reason: SIP;cause=200;text=\"x\"\r\nExpires: 5\r\n",
            "Accept: application/sdp\r\nAllow: INVITE\r\n",
        ])
        if ["NOTIFY", "SUBSCRIBE"].contains(method) {
            fields += "Event: refer\r\nSubscription-State: active;expires=60\r\n"
        }
        var body = ["INVITE", "UPDATE", "ACK", "PRACK"].contains(method) ? session : ""
        if change.number(below: 8) == 0 { body = "" }
        var text = registrar.request(
            method, callID: callID, sequence: sequence, branch: "z9hG4bK-\(round)-\(sequence)",
            fields: fields,
            body: body, toTag: tag)
        if tag.isEmpty == false, !invite.isEmpty {
            text = text.replacingOccurrences(of: ";tag=caller", with: ";tag=registrar")
        }
        if change.number(below: 5) == 0 {
            let (type, content) = change.any(MessageMutations.bodies)
            let end = text.range(of: "\r\n\r\n")?.lowerBound ?? text.endIndex
            let head = text[..<end].components(separatedBy: "\r\n").filter { !$0.hasPrefix("Content-") }
            text =
                (head + ["Content-Type: \(type)", "Content-Length: \(content.utf8.count)"]).joined(
                    separator: "\r\n")
                + "\r\n\r\n\(content)"
        }
        return text
    }

    /// Sends a message, mostly spoilt, and waits until the engine has handled it.
    private func send(_ message: String) throws {
        let text = change.number(below: 5) == 0 ? message : change.spoil(message)
        note(text)
        registrar.send(text)
        try probe()
    }

    /// Waits until the engine answers, and takes what it sends.
    private func probe() throws {
        let callID = UUID().uuidString
        // belle-sip loses what follows some malformed messages.
        for _ in 0..<(registrar.isStream ? 1 : 10) {
            for _ in 0..<2 { registrar.send(registrar.request("OPTIONS", callID: callID)) }
            if registrar.receive(seconds: 1, where: { take($0, until: callID) }) != nil { return }
        }
        // What follows a message of another length is lost on a connection.
        guard isAlive else { throw death("does not answer the phone") }
        guard registrar.isStream else { throw death("does not answer the server") }
        // After a final refusal of a registration, only the setting of the account leads to a connection.
        guard registrar.connectAgain() || registrar.setAccount(of: engine) else {
            throw death("does not connect again")
        }
        note("connected again")
    }

    /// Takes a message of the engine.
    ///
    /// Returns whether it is the response in a call.
    private func take(_ text: String, until callID: String) -> Bool {
        if text.hasPrefix("INVITE ") { invite = text }
        if text.hasPrefix("REGISTER ") { registrar.acceptRegistration(text) }
        let isOther = text.hasPrefix("BYE ") || text.hasPrefix("CANCEL ")
        if isOther { registrar.send(ScriptedRegistrar.response(to: text, "200 OK")) }
        guard text.hasPrefix("SIP/2.0 ") else { return false }
        if text.contains(" INVITE\r\n") {
            taken = (ScriptedRegistrar.field("Call-ID", in: text), ScriptedRegistrar.tag(of: "To", in: text))
        }
        return text.contains(callID)
    }

    private var isAlive: Bool {
        nextID += 2
        engine.send(.heartbeat(nextID))
        return engine.wait(for: .heartbeat(nextID))
    }
}
