// SPDX-License-Identifier: GPL-3.0-or-later

import CHelperShims
import CSIPShims
import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

/// The process under test, driven over a socket pair as the phone drives it.
final class EngineProcess {
    /// The process's identifier.
    let processID: pid_t
    private let process = Process()
    private let socket: Int32
    private var splitter = LineSplitter()
    private var events: [HelperEvent<SIPHelper>] = []
    /// The folder for the files that take the place of the sound card.
    private let folder: String
    private let output: String
    private var isKilled = false

    /// Starts the process and the engine.
    ///
    /// - Parameters:
    ///   - prefix: A command that executes the program.
    ///   - version: The version of the messages.
    init(
        prefix: [String] = [], environment: [String: String] = [:],
        version: Int = SIPHelper.version, starts: Bool = true, acceptsDirectCalls: Bool = false,
        refusedMessages: [Int] = []
    ) throws {
        folder = try TemporaryFolders.make("touchtone-sip-tests")
        try Self.silence().write(to: URL(fileURLWithPath: "\(folder)/played.wav"))
        try Data().write(to: URL(fileURLWithPath: "\(folder)/recorded.wav"))
        var pair: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        _ = fcntl(pair[0], F_SETFD, FD_CLOEXEC)
        socket = pair[0]
        process.executableURL = prefix.isEmpty ? Self.program : URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = prefix.isEmpty ? [] : prefix + [Self.program.path]
        process.standardInput = FileHandle(fileDescriptor: pair[1])
        process.environment = ProcessInfo.processInfo.environment.merging([
            "TOUCHTONE_SIP_FILES": "\(folder)/played.wav:\(folder)/recorded.wav", "XDG_RUNTIME_DIR": folder,
            "HOME": folder, "SSL_CERT_FILE": try TestCertificates.authority(),
            "ASAN_OPTIONS": Self.sanitizerOptions + ":log_path=\(folder)/touchtone-sip/fault",
        ]) { $1 }.merging(environment) { $1 }
        output = "\(folder)/output"
        try Data().write(to: URL(fileURLWithPath: output))
        process.standardError = FileHandle(forWritingAtPath: output)
        try process.run()
        _ = Glibc.close(pair[1])
        processID = process.processIdentifier
        guard starts else { return }
        let configuration = SIPConfiguration(
            userAgent: "Touchtone tests", acceptsDirectCalls: acceptsDirectCalls,
            refusedMessages: refusedMessages)
        send(.start(version: version, configuration))
        _ = waitForMessage { if case .ready = $0 { true } else { nil } }
    }

    /// Starts the process and the engine with the devices of a sound server, in place of files.
    convenience init(on sound: SoundServer) throws {
        try self.init(environment: sound.environment.merging(["TOUCHTONE_SIP_FILES": ""]) { $1 })
    }

    /// The text that the process has written to standard error.
    var said: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    deinit {
        reportCrash()
        kill()
        reportFaults()
    }

    /// Sends a command.
    func send(_ command: SIPCommand) { send(.command(command)) }

    /// Sends a message that all helpers take.
    func send(_ message: HelperCommand<SIPHelper>) { sendBytes(MessageCoding.line(for: message) ?? []) }

    /// Sends a command for a call with an open file, which stays open here.
    func send(_ command: SIPCallCommand, to id: SIPCallID, with file: Int32) {
        let line = MessageCoding.line(for: HelperCommand<SIPHelper>.command(.call(id, command))) ?? []
        sendBytes(line.dropLast())
        // A file goes with the end of the line.
        #expect(chelper_send(socket, [UInt8(ascii: "\n")], 1, file) == 1)
    }

    /// Sends any bytes.
    func sendBytes(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for the first event from which a closure returns a value; nil if none comes in time, or the process ends.
    ///
    /// Events before it are dropped.
    func wait<Value>(seconds: Double = 10, for value: (SIPEvent) -> Value?) -> Value? {
        waitForMessage(seconds: seconds) { if case .event(let event) = $0 { value(event) } else { nil } }
    }

    /// Does the same for all messages of a helper.
    func waitForMessage<Value>(
        seconds: Double = 10, for value: (HelperEvent<SIPHelper>) -> Value?
    ) -> Value? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            while !events.isEmpty {
                if let value = value(events.removeFirst()) { return value }
            }
            guard receive(until: deadline) else { return nil }
        }
    }

    /// Waits for an event.
    ///
    /// Returns whether it came in time.
    func wait(for event: SIPEvent, seconds: Double = 10) -> Bool {
        wait(for: .event(event), seconds: seconds)
    }

    /// Waits for a message.
    ///
    /// Returns whether it came in time.
    func wait(for message: HelperEvent<SIPHelper>, seconds: Double = 10) -> Bool {
        waitForMessage(seconds: seconds) { $0 == message ? true : nil } ?? false
    }

    /// Adds an account, and waits until it is registered or not.
    ///
    /// Returns its state.
    func register(_ account: SIPAccount, password: String? = nil, seconds: Double = 10) -> SIPRegistration? {
        let user = account.address.dropFirst("sip:".count).split(separator: "@").first ?? ""
        send(.setAccount(account, password: password ?? "pw-\(user)"))
        return waitForRegistration(seconds: seconds)
    }

    /// Registers an account of alice at a registrar that the test operates.
    ///
    /// Returns whether the engine reports that it is registered.
    func register(
        as id: String = "alice", at registrar: ScriptedRegistrar,
        encryption: SIPAccount.Encryption = .offered, expires: Int = 600
    ) -> Bool {
        let account = SIPAccount(
            id: id, address: "sip:alice@127.0.0.1", registrar: "sip:127.0.0.1:\(registrar.port)",
            transport: .udp, encryption: encryption)
        send(.setAccount(account, password: "x"))
        return registrar.acceptRegistration(expires: expires) && waitForRegistration() == .registered
    }

    /// Waits for the next final state of a registration.
    func waitForRegistration(seconds: Double = 10) -> SIPRegistration? {
        wait(seconds: seconds) {
            if case .registration(_, let state) = $0, state != .registering { state } else { nil }
        }
    }

    /// Waits for an incoming call.
    func waitForCall(seconds: Double = 10) -> (id: SIPCallID, caller: SIPParty)? {
        wait(seconds: seconds) {
            if case .call(let id, .incoming(_, let caller, _, _)) = $0 { (id, caller) } else { nil }
        }
    }

    /// Waits until the far end holds or resumes a call.
    func waitForHold(_ isHeld: Bool, seconds: Double = 10) -> Bool {
        wait(seconds: seconds) { if case .call(_, .heldByFarEnd(isHeld)) = $0 { true } else { nil } } ?? false
    }

    /// Waits for the end of a call.
    func waitForEnd(of id: SIPCallID, seconds: Double = 10) -> SIPEnd? {
        wait(seconds: seconds) { if case .call(id, .ended(let end)) = $0 { end } else { nil } }
    }

    /// Asks for the encryption of the dialled call until there is some.
    ///
    /// Returns it; empty or nil if there is none in time.
    func waitForEncryption(seconds: Double) -> String? {
        var quality: SIPQuality?
        let deadline = ContinuousClock.now + .seconds(seconds)
        while quality?.encryption ?? "" == "", ContinuousClock.now < deadline {
            send(.call(.dialled, .measure))
            quality = wait { if case .call(.dialled, .quality(let quality)) = $0 { quality } else { nil } }
        }
        return quality?.encryption
    }

    /// Returns everything that the process sends until it ends.
    func receivedText() -> String {
        var text: [UInt8] = []
        while let bytes = readBytes(from: socket, until: Date(timeIntervalSinceNow: 10)) { text += bytes }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the process runs.
    var isRunning: Bool { process.isRunning }

    /// Closes the connection and waits for the process's end.
    ///
    /// Returns its exit status.
    func end() -> Int32 {
        close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Closes the connection, as the phone does when it ends.
    func close() { shutdown(socket, Int32(SHUT_WR)) }

    /// Kills the process.
    func kill() {
        guard process.isRunning else { return }
        isKilled = true
        Glibc.kill(processID, SIGKILL)
        process.waitUntilExit()
    }

    private func receive(until deadline: Date) -> Bool {
        guard let bytes = readBytes(from: socket, until: deadline) else { return false }
        events += splitter.lines(after: bytes).compactMap { MessageCoding.message(in: $0) }
        return true
    }

    /// Reports the signal that ended the process, unless the test killed it, and the end of its output.
    private func reportCrash() {
        guard !process.isRunning, !isKilled, process.terminationReason == .uncaughtSignal else { return }
        Issue.record("touchtone-sip was ended by signal \(process.terminationStatus): \(said.suffix(2000))")
    }

    /// Reports the faults that AddressSanitizer found, if the program was built with it.
    private func reportFaults() {
        let path = "\(folder)/touchtone-sip"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix("fault.") {
            Issue.record("\((try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? name)")
        }
    }

    /// The confined process cannot start the program that finds the names of functions.
    private static let sanitizerOptions =
        ProcessInfo.processInfo.environment["ASAN_OPTIONS", default: "detect_leaks=0"] + ":symbolize=0"

    /// The program beside the tests.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("touchtone-sip")

    /// Returns a WAV file with ten seconds of silence.
    private static func silence() -> Data {
        let samples = Data(count: 2 * 16_000 * 10)
        var file = Data("RIFF".utf8)
        func append(_ value: UInt32) {
            withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
        }
        append(UInt32(36 + samples.count))
        file.append(contentsOf: "WAVEfmt ".utf8)
        append(16)
        append(1 | 1 << 16)  // PCM, one channel
        append(16_000)
        append(32_000)
        append(2 | 16 << 16)  // bytes and bits of a sample
        file.append(contentsOf: "data".utf8)
        append(UInt32(samples.count))
        return file + samples
    }
}
