// SPDX-License-Identifier: GPL-3.0-or-later

public enum StoredDataKind: Hashable, Sendable, CaseIterable {
    /// Messages and drafts.
    case messages
    case calls
    /// Contacts and memory keys.
    case contacts
}
