// SPDX-License-Identifier: GPL-3.0-or-later

private import CGio
private import Glibc

/// The mark that a program uses the user's data, which lasts until the process ends, in whatever way.
///
/// The session bus keeps a second program away as long as there is a bus. Without one, two programs would sign in to the
/// same accounts, and write to the same files.
public enum RunningProgram {
    /// Sets the mark, and waits a little for a program that is ending.
    ///
    /// - Parameter milliseconds: The longest time to wait, in which the thread sleeps.
    /// - Returns: False if another process has set it. A file system without locks is no obstacle.
    public static func claim(_ folders: UserFolders = .standard, milliseconds: Int = 5_000) -> Bool {
        // The lock is on the folder itself, so that no file is left behind.
        g_mkdir_with_parents(folders.data, 0o700)
        let descriptor = open(folders.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        let step = 50
        for passed in stride(from: 0, through: milliseconds, by: step) {
            // The descriptor stays open for as long as the process lives.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK { break }
            if passed + step <= milliseconds { usleep(useconds_t(step * 1_000)) }
        }
        let isTaken = errno == EWOULDBLOCK
        close(descriptor)
        return !isTaken
    }
}
