// SPDX-License-Identifier: GPL-3.0-or-later

internal import CHelperShims
internal import Glibc

/// The bounds of a process that decodes one untrusted file, and ends.
///
/// The process ends with status 4 if a bound cannot be set: without its bounds, it must not see the file.
public enum DecoderLimits {
    /// Closes what the phone had open when it started this process.
    public static func closeInheritedFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(4) }
        for file in 3..<Int32(clamping: min(limit.rlim_cur, 1 << 16)) { close(file) }
    }

    /// Bounds memory in bytes and processor time in seconds, and forbids writing to files.
    public static func set(memory: Int, processorTime: Int) {
        set(RLIMIT_AS, rlim_t(memory))
        set(RLIMIT_CPU, rlim_t(processorTime))
        // A warning of a library must not end the process where the error output is a file.
        signal(SIGXFSZ, SIG_IGN)
        set(RLIMIT_FSIZE, 0)
        set(RLIMIT_CORE, 0)
    }

    /// Ends the process after a time in seconds, whatever it does.
    public static func set(time: UInt32) { alarm(time) }

    /// Forbids opening anything, starting processes, and reaching other ones.
    public static func confine() {
        set(RLIMIT_NOFILE, 0)
        set(__RLIMIT_NPROC, 0)
        chelper_harden()
        // A processor whose calls cannot be filtered leaves the limits above.
        _ = chelper_deny_calls()
    }

    private static func set(_ kind: __rlimit_resource, _ value: rlim_t) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        guard setrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 else { exit(4) }
    }
}
