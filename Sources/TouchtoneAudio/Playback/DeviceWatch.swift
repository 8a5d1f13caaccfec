// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Watches, by inotify(7), the folders of sound servers' sockets and cards' device nodes; not thread-safe.
struct DeviceWatch {
    /// The descriptor to poll for `POLLIN`, or -1, which poll(2) ignores, without inotify.
    let descriptor: Int32

    init() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let comesAndGoes = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE)
        for folder in Self.socketFolders { inotify_add_watch(descriptor, folder, comesAndGoes) }
        // A card's node appears before its permissions are set. A node used by another program is free when it is
        // closed.
        inotify_add_watch(descriptor, "/dev/snd", comesAndGoes | UInt32(IN_ATTRIB | IN_CLOSE_WRITE))
        if access("/dev/snd", F_OK) != 0 { inotify_add_watch(descriptor, "/dev", UInt32(IN_CREATE)) }
    }

    /// Reads the pending events, and returns whether one concerns sound.
    func clear() -> Bool {
        withUnsafeTemporaryAllocation(
            byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment
        ) { buffer in
            var concernsSound = false
            while true {
                let length = read(descriptor, buffer.baseAddress, buffer.count)
                guard length > 0 else { return concernsSound }
                let events = UnsafeRawBufferPointer(rebasing: buffer[..<length])
                if Self.names(in: events).contains(where: Self.isOfSound) { concernsSound = true }
            }
        }
    }

    func close() { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

    private static let headerSize = MemoryLayout<inotify_event>.size

    private static func names(in events: UnsafeRawBufferPointer) -> [String] {
        var names: [String] = []
        var offset = 0
        while offset + headerSize <= events.count {
            let event = events.load(fromByteOffset: offset, as: inotify_event.self)
            let name = events[(offset + headerSize)...].prefix(Int(event.len)).prefix { $0 != 0 }
            names.append(String(decoding: name, as: UTF8.self))
            offset += headerSize + Int(event.len)
        }
        return names
    }

    /// Returns whether a name is that of a server's socket, a card's node, or the folder of either.
    private static func isOfSound(_ name: String) -> Bool {
        guard name != serverSocket?.name else { return true }
        return ["native", "pulse", "pipewire", "pcm", "control", "snd"].contains { name.hasPrefix($0) }
    }

    /// The socket in `PULSE_SERVER`, such as `unix:/run/sound/native`, with or without a machine id.
    private static var serverSocket: (folder: String, name: String)? {
        guard let server = variable("PULSE_SERVER"), let first = server.firstIndex(of: "/") else {
            return nil
        }
        let path = server[first...].prefix { $0 != " " }
        guard let last = path.lastIndex(of: "/"), last > path.startIndex else { return nil }
        return (String(path[..<last]), String(path[last...].dropFirst()))
    }

    /// The folders of the sockets of PulseAudio and PipeWire, and the parents of these folders.
    private static var socketFolders: [String] {
        var folders = [serverSocket?.folder, variable("PULSE_RUNTIME_PATH")].compactMap { $0 }
        if let runtime = variable("XDG_RUNTIME_DIR") { folders += [runtime, runtime + "/pulse"] }
        return folders
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
