// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc

/// The restriction of the process to the files and system calls that telephony needs.
enum Confinement {
    /// Restricts the process and all its later threads; must be called before it has any.
    ///
    /// A part that the kernel does not offer stays open: files without Landlock, the rest without a filter of system calls.
    static func enforce() {
        // The kernel would not let the other process connect later.
        SoundServers.startConnector()
        sipshims_harden()
        limitDescriptors()
        restrictFiles()
        if !sipshims_deny_calls() { Log.warn("not confined: system calls could not be denied") }
    }

    private static func restrictFiles() {
        let ruleset = sipshims_ruleset()
        guard ruleset >= 0 else {
            return Log.warn("not confined: the kernel has no Landlock, so files can be read")
        }
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

    /// Libraries, plug-ins and settings; name servers; random numbers; the kernel's list of sound cards; the settings, the
    /// cookie and the folder of the sound server; the certificate authorities.
    private static var readable: [String] {
        var paths = [
            "/usr", "/lib", "/lib64", "/etc", "/dev/urandom", "/dev/random", "/dev/zero", "/proc/self",
            "/proc/asound", "/sys/class/sound", "/sys/devices",
            "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/var/lib/dbus/machine-id",
            "/run/pulse", "/var/lib/alsa",
        ]
        if let home = environment("HOME") {
            paths += [".asoundrc", ".config/pulse", ".config/alsa", ".pulse", ".pulse-cookie"].map {
                "\(home)/\($0)"
            }
        }
        if let runtime = environment("XDG_RUNTIME_DIR") {
            // The sound server may start later. A rule needs the folder.
            mkdir("\(runtime)/pulse", S_IRWXU)
            paths.append("\(runtime)/pulse")
        }
        for name in ["PULSE_COOKIE", "PULSE_RUNTIME_PATH", "SSL_CERT_FILE", "ALSA_CONFIG_PATH"] {
            if let path = environment(name) { paths.append(path) }
        }
        if let files = SoundFiles.fromEnvironment { paths.append(files.played) }
        return paths
    }

    /// Sound cards, and the folder for the process's own files.
    private static var writable: [String] {
        var paths = ["/dev/snd", "/dev/null"]
        if let path = PrivateFolder.path { paths.append(path) }
        if let files = SoundFiles.fromEnvironment { paths.append(files.recorded) }
        return paths
    }
}

/// Returns the value of an environment variable; nil if it is missing or empty.
func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}
