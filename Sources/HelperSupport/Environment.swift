// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import HelperMessages

/// Returns the value of an environment variable; nil if it is missing or empty.
public func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}

/// Returns the descriptor of the file in which the helper notes what it handles (eight bytes, zero for
/// nothing), which the phone reads if it ends unexpectedly; nil without one.
public func noteDescriptor() -> Int32? {
    guard let note = environment(helperNoteVariable).flatMap({ Int32($0) }) else { return nil }
    _ = fcntl(note, F_SETFD, FD_CLOEXEC)
    return note
}
