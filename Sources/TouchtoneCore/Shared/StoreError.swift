// SPDX-License-Identifier: GPL-3.0-or-later

public enum StoreError: Error, Hashable, Sendable {
    case full
    /// The file was damaged. It was quarantined under the given name and replaced by a new one; the archive’s messages
    /// are restored.
    case damaged(setAside: String)
    /// The file is from a newer version of Touchtone. It is left unchanged, and nothing is saved.
    case newer
    /// A different error, with the system’s description.
    case failed(String)
}
