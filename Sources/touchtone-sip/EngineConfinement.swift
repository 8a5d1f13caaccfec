// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import HelperSupport

/// The files and descriptors that telephony needs.
enum EngineConfinement {
    /// Restricts the process to them; must be called before it has threads.
    static func enforce() {
        // The kernel would not let the other process connect later.
        SoundServers.startConnector()
        Confinement.enforce(
            readable: readable, writable: writable, maximumDescriptors: maximumDescriptors
        ) { Log.warn($0) }
    }

    /// The greatest number of open files; `SIPSockets` looks at all of them.
    static let maximumDescriptors: Int32 = 512

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
