// SPDX-License-Identifier: GPL-3.0-or-later

internal import CHelperShims
internal import Glibc

/// The restriction of a helper to the files and system calls that it needs.
public enum Confinement {
    /// Restricts the process and all its later threads; must be called before it has any.
    ///
    /// A part that the kernel does not offer stays open: files without Landlock, the rest without a filter of system calls.
    ///
    /// Missing `readable` files are ignored, `writable` ones can be read, too, and `warn` gets a text for
    /// each part that stays open.
    public static func enforce(
        readable: [String], writable: [String], maximumDescriptors: Int32, warn: (String) -> Void
    ) {
        chelper_harden()
        limitDescriptors(to: rlim_t(max(0, maximumDescriptors)))
        let ruleset = chelper_ruleset()
        if ruleset < 0 {
            warn("not confined: the kernel has no Landlock, so files can be read")
        } else {
            for path in readable { chelper_allow(ruleset, path, false) }
            for path in writable { chelper_allow(ruleset, path, true) }
            if !chelper_enforce(ruleset) { warn("Landlock could not be enforced") }
        }
        if !chelper_deny_calls() { warn("not confined: system calls could not be denied") }
    }

    private static func limitDescriptors(to maximum: rlim_t) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, maximum)
        limit.rlim_max = limit.rlim_cur
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
