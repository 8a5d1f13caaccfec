// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Glibc
import HelperSupport

/// The local sockets of sound servers, which are the only ones that the confined process can reach.
///
/// PulseAudio's client looks for its server in `PULSE_SERVER`, in its settings, and then in folders of the user and of the
/// system (pulse-client.conf(5)); PipeWire's, which ALSA may use, in `PIPEWIRE_REMOTE` and the runtime folders.
enum SoundServers {
    /// Starts the process that connects to them.
    static func startConnector() {
        let paths = paths.map { strdup($0).map { UnsafePointer($0) } }
        defer { for path in paths { free(UnsafeMutableRawPointer(mutating: path)) } }
        if !sipshims_start_connector(paths, paths.count) { Log.warn("sound servers cannot be reached") }
    }

    private static var paths: [String] {
        let runtime = environment("XDG_RUNTIME_DIR")
        let home = environment("HOME")
        var paths = named(in: environment("PULSE_SERVER") ?? "")
        for file in ["/etc/pulse/client.conf"] + (home.map { ["\($0)/.config/pulse/client.conf"] } ?? []) {
            paths += defaults(in: file)
        }
        if let folder = environment("PULSE_RUNTIME_PATH") { paths.append("\(folder)/native") }
        if let runtime { paths.append("\(runtime)/pulse/native") }
        paths += ["/run/pulse/native", "/var/run/pulse/native"]
        // Without a runtime folder, PulseAudio makes one in the home.
        if let home, let machine = firstLine(of: "/etc/machine-id") {
            for folder in [".config/pulse", ".pulse"] {
                paths.append("\(home)/\(folder)/\(machine)-runtime/native")
            }
        }
        let name = environment("PIPEWIRE_REMOTE") ?? "pipewire-0"
        let folders = [environment("PIPEWIRE_RUNTIME_DIR"), runtime, "/run/pipewire"]
        return paths + (name.hasPrefix("/") ? [name] : folders.compactMap { $0 }.map { "\($0)/\(name)" })
    }

    /// Returns the paths in a list of servers, such as `{machine}unix:/run/user/1000/pulse/native tcp:host`.
    private static func named(in list: String) -> [String] {
        list.split(separator: " ").compactMap { entry in
            let server = entry.first == "{" ? entry.drop { $0 != "}" }.dropFirst() : entry
            let path = server.hasPrefix("unix:") ? server.dropFirst("unix:".count) : server
            return path.hasPrefix("/") ? String(path) : nil
        }
    }

    /// Returns the paths of `default-server` in a file of settings.
    private static func defaults(in file: String) -> [String] {
        lines(of: file).flatMap { line in
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " || $0 == "\t" } }
            guard parts.count == 2, parts[0].hasPrefix("default-server") else { return [String]() }
            return named(in: String(parts[1]))
        }
    }

    private static func firstLine(of file: String) -> Substring? { lines(of: file).first }

    /// Returns the lines of a file that has at most 64 kB; none if it cannot be read.
    private static func lines(of file: String) -> [Substring] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = max(0, read(descriptor, &bytes, bytes.count))
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
