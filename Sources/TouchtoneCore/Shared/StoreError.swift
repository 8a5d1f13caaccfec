// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why data could not be saved or read.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk is full.
    case full
    /// The file was damaged. It was quarantined under the given name and replaced by a new one; the archive’s messages
    /// are restored.
    case damaged(setAside: String)
    /// The file is from a newer version of Touchtone. It is left unchanged, and nothing is saved.
    case newer
    /// A different error, with the system’s description.
    case failed(String)
}
