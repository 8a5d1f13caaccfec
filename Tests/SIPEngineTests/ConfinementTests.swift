// SPDX-License-Identifier: GPL-3.0-or-later

import CHelperShims
import Foundation
import TestSupport
import Testing

extension SIPEngineTests {
    /// The reach of the running engine, tried by a library in its process (Tests/Tools/confinement_probe.c).
    @Suite struct Confinement {
        /// The user as whom the engine runs, and where.
        enum Place: String, CaseIterable {
            case here, ordinaryUser, chroot
        }

        private static let places: [Place] =
            getuid() != 0 ? [.here] : hasMountedRoot ? Place.allCases : [.here, .ordinaryUser]

        /// Whether these tests have the root of a file system.
        ///
        /// In a chroot they mount nothing: `.here` is a chroot then.
        private static let hasMountedRoot =
            (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8))?
            .split(separator: "\n").contains { $0.split(separator: " ").dropFirst(4).first == "/" } ?? false

        @Test(arguments: places)
        func processReachesNothingButSoundAndTheNetwork(_ place: Place) throws {
            let probe = try ConfinementProbe()
            let free = try probe.runFree()
            let results = try probe.run(place)
            var faults: [String] = []
            // What the document promises, by the name of the attempt.
            let doors = ["session-bus", "session-bus-abstract", "screen", "screen-abstract", "wayland"]
            var refused = doors.flatMap { door in
                ["connect", "connect-pair", "connect-datagrams", "connect-by-library"].map { "\($0) \(door)" }
            }
            refused += ["connect sound", "connect-pair sound", "connect-datagrams sound"]
            refused += ["packet", "raw", "vsock", "alg", "audit", "bluetooth"].map { "socket-\($0)" }
            refused += ["change-mode", "change-times", "set-attribute", "watch"].map { "\($0) letter" }
            refused += [
                "listen", "exec", "ptrace", "signal", "signal-thread", "pidfd", "limits", "user-namespace",
                "user-namespace-clone", "mount", "chroot", "type-into-terminal", "type-into-terminal-64",
                "io-uring", "keyring",
            ]
            if Self.hasLandlock {
                refused += ["letter", "device", "process", "shared-memory"].map { "read \($0)" }
                refused += ["write", "truncate", "remove"].map { "\($0) letter" }
            }
            faults += refused.filter { results[$0] ?? 0 == 0 }.map { "\($0) succeeds" }
            let allowed = [
                "connect-by-library sound", "read settings", "own-random", "own-signal", "own-socket",
            ]
            faults += allowed.filter { results[$0] != 0 }.map { "\($0) fails" }
            // Without the confinement, the attempts succeed: they are able to find a hole.
            let open =
                (doors + ["sound"]).map { "connect \($0)" } + [
                    "read letter", "write letter", "read device", "read process", "listen", "exec", "pidfd",
                ]
            faults += open.filter { free[$0] != 0 }.map { "\($0) fails without the confinement, too" }
            #expect(faults.isEmpty, "\(place): \(faults)\nfree: \(free)\nconfined: \(results)")
        }

        @Test func threadsHaveNoNewPrivilegesAndAFilter() throws {
            let engine = try EngineProcess()
            let tasks = "/proc/\(engine.processID)/task"
            for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
                let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
                    .split(separator: "\n")
                #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
            }
        }

        /// The process that connects to sound servers has to end with the engine, however that ends.
        @Test func connectorEndsWithTheEngine() throws {
            let engine = try EngineProcess()
            let children = try String(
                contentsOfFile: "/proc/\(engine.processID)/task/\(engine.processID)/children", encoding: .utf8
            )
            let connector = try #require(pid_t(children.trimmingCharacters(in: .whitespaces)))
            let descriptor = try #require(PIDDescriptor(of: connector))
            engine.kill()
            #expect(descriptor.waitForEnd(until: Date(timeIntervalSinceNow: 30)))
        }

        private static let hasLandlock: Bool = {
            let ruleset = chelper_ruleset()
            return ruleset >= 0 && Glibc.close(ruleset) == 0
        }()
    }
}

/// A descriptor that a process's end makes readable (pidfd_open(2)).
private final class PIDDescriptor {
    private let descriptor: Int32

    /// Opens the descriptor; nil if there is no such process.
    init?(of process: pid_t) {
        // Swift's modules do not have <sys/pidfd.h>.
        typealias Function = @convention(c) (pid_t, UInt32) -> Int32
        guard let symbol = dlsym(nil, "pidfd_open") else { return nil }
        descriptor = unsafeBitCast(symbol, to: Function.self)(process, 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns whether the process ends in time.
    func waitForEnd(until deadline: Date) -> Bool { waitForInput(descriptor, until: deadline) }
}

/// The sockets and files that the probe tries to reach, and its runs.
private final class ConfinementProbe {
    private let folder: String
    private let library: String
    private var sockets: [Int32] = []
    /// The reading ends of the pipes with the reports, and what came out of them, by the folders of the runs.
    private var reports: [String: (descriptor: Int32, text: String)] = [:]

    init() throws {
        try Peer.require("cc", package: "gcc")
        var template = Array("/tmp/touchtone-probe-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        library = "\(folder)/probe.so"
        // Other users run the engine here.
        chmod(folder, 0o755)
        _ = try output(
            of: [
                "cc", "-shared", "-fPIC", "-o", library, "\(Checkout.folder)/Tests/Tools/confinement_probe.c",
            ])
        for name in ["bus", "screen", "wayland", "native"] {
            sockets.append(try listen(at: "\(folder)/\(name)"))
        }
        for name in ["bus", "screen"] { sockets.append(try listen(at: "@\(folder)/\(name)")) }
    }

    deinit {
        for socket in sockets + reports.values.map(\.descriptor) { close(socket) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the attempts in a process that is not confined.
    func runFree() throws -> [String: Int32] {
        let home = try makeHome("free")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        process.environment = variables(home)
        process.standardInput = Pipe()
        try process.run()
        // It may have inherited a blocked SIGTERM.
        defer { kill(process.processIdentifier, SIGKILL) }
        // The library writes its first line when it is loaded.
        _ = try wait(for: "loaded 0\n", in: home)
        kill(process.processIdentifier, SIGUSR2)
        return try results(home)
    }

    /// Runs the attempts in the engine.
    func run(_ place: SIPEngineTests.Confinement.Place) throws -> [String: Int32] {
        let home = try makeHome(place.rawValue)
        var prefix: [String] = []
        switch place {
        case .here: break
        case .ordinaryUser:
            for path in [home, "\(home)/letter"] { chown(path, 65_534, 65_534) }
            prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        case .chroot:
            try FileManager.default.createDirectory(
                atPath: "\(folder)/root", withIntermediateDirectories: true)
            let script = "mount --rbind / \(folder)/root && exec chroot \(folder)/root \"$@\""
            prefix = ["unshare", "--mount", "sh", "-c", script, "sh"]
        }
        let assignments = variables(home).map { "\($0)=\($1)" }
        let engine = try EngineProcess(
            prefix: prefix + ["env"] + assignments, environment: ["TOUCHTONE_SIP_FILES": ""])
        kill(engine.processID, SIGUSR2)
        do {
            return try results(home)
        } catch {
            Issue.record("\(place): \(reports[home]?.text ?? "")\n\(engine.said)")
            throw error
        }
    }

    private func makeHome(_ name: String) throws -> String {
        let home = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(home)/letter"))
        let pipe = "\(home)/report"
        // Other users write to it. Open for both, it is never at its end.
        guard mkfifo(pipe, 0o666) == 0, chmod(pipe, 0o666) == 0,
            case let descriptor = open(pipe, O_RDWR | O_CLOEXEC),
            descriptor >= 0
        else { throw CocoaError(.fileWriteUnknown) }
        reports[home] = (descriptor, "")
        return home
    }

    private func variables(_ home: String) -> [String: String] {
        let sockets = [
            "session-bus=\(folder)/bus", "session-bus-abstract=@\(folder)/bus", "screen=\(folder)/screen",
            "screen-abstract=@\(folder)/screen", "wayland=\(folder)/wayland", "sound=\(folder)/native",
        ]
        let files = [
            "letter=\(home)/letter", "settings=/etc/passwd", "device=/dev/ptmx",
            "process=/proc/\(getpid())/stat",
            "shared-memory=/dev/shm",
        ]
        return [
            "LD_PRELOAD": library, "CONFINEMENT_PROBE": "\(home)/report", "HOME": home,
            "XDG_RUNTIME_DIR": home,
            "PULSE_SERVER": "unix:\(folder)/native", "PROBE_UNIX": sockets.joined(separator: ","),
            "PROBE_READ": files.joined(separator: ","), "PROBE_WRITE": "letter=\(home)/letter",
        ]
    }

    /// Waits for the results, by the names of the attempts: the numbers of errors, or 0.
    private func results(_ home: String) throws -> [String: Int32] {
        var results: [String: Int32] = [:]
        for line in try wait(for: "end 0\n", in: home).split(separator: "\n") {
            let words = line.split(separator: " ")
            results[words.dropLast().joined(separator: " ")] = Int32(words.last ?? "")
        }
        return results
    }

    private func wait(for end: String, in home: String) throws -> String {
        let deadline = Date(timeIntervalSinceNow: 30)
        while let report = reports[home] {
            if report.text.hasSuffix(end) { return report.text }
            guard let bytes = readBytes(from: report.descriptor, until: deadline) else { break }
            reports[home]?.text += String(decoding: bytes, as: UTF8.self)
        }
        throw CocoaError(.fileReadUnknown)
    }

    private func listen(at path: String) throws -> Int32 {
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, length) }
        }
        guard result == 0, Glibc.listen(made, 16) == 0 else { throw CocoaError(.fileWriteUnknown) }
        if !isAbstract { chmod(path, 0o777) }
        return made
    }
}
