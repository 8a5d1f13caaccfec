// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The restriction of the process to the files and system calls that telephony needs.
enum Confinement {
    /// Restricts the process and all its later threads; must be called before it has any.
    ///
    /// The user's files, the message store among them, become unreadable if the kernel has Landlock.
    static func enforce() {
        sipshims_harden()
        limitDescriptors()
        restrictFiles()
        if !sipshims_deny_calls() { Log.warn("system calls could not be denied") }
    }

    private static func restrictFiles() {
        let ruleset = sipshims_ruleset()
        guard ruleset >= 0 else { return }
        for path in readable { sipshims_allow(ruleset, path, false) }
        for path in writable { sipshims_allow(ruleset, path, true) }
        if !sipshims_enforce(ruleset) { Log.warn("Landlock could not be enforced") }
    }

    /// The greatest number of open files; `SIPSockets` looks at all of them.
    static let maximumDescriptors: Int32 = 512

    private static func limitDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(maximumDescriptors))
        limit.rlim_max = limit.rlim_cur
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Libraries, plug-ins and settings; name servers; the kernel's list of sound cards; the settings and the cookie
    /// of the sound server; the certificate authorities.
    private static var readable: [String] {
        var paths = [
            "/usr", "/lib", "/lib64", "/etc", "/dev", "/proc/self", "/proc/asound", "/sys/class/sound",
            "/sys/devices",
            "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/dbus", "/var/lib/dbus",
            "/run/pulse", "/var/lib/alsa",
        ]
        if let home = environment("HOME") {
            paths += [".asoundrc", ".config/pulse", ".config/alsa", ".pulse", ".pulse-cookie"].map {
                "\(home)/\($0)"
            }
        }
        paths += [environment("PULSE_COOKIE"), environment("SSL_CERT_FILE"), environment("ALSA_CONFIG_PATH")]
            .compactMap { $0 }
        if let files = SoundFiles.fromEnvironment { paths.append(files.played) }
        return paths
    }

    /// Sound cards, shared memory and the sound server's folder, and the folder for the process's own files.
    private static var writable: [String] {
        var paths = ["/dev/snd", "/dev/shm", "/dev/null", "/dev/urandom"]
        if let runtime = environment("XDG_RUNTIME_DIR") {
            // The sound server may start later. A rule needs the folder.
            mkdir("\(runtime)/pulse", S_IRWXU)
            paths += ["\(runtime)/pulse", "\(runtime)/pipewire-0"]
        }
        paths += [environment("PULSE_RUNTIME_PATH"), PrivateFolder.path].compactMap { $0 }
        if let files = SoundFiles.fromEnvironment { paths.append(files.recorded) }
        return paths
    }
}

/// Returns the value of an environment variable; nil if it is missing or empty.
func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}
