// SPDX-License-Identifier: GPL-3.0-or-later

/// A persistent cache of the pictures of an account's buddies, by their SHA-1 in lower-case hex.
@MainActor
public protocol AvatarStore: AnyObject {
    /// The address of the account to which the following calls refer; empty is no account, which has no pictures.
    var account: String { get set }
    func picture(named sha1: String) async -> [UInt8]?
    /// Stores a picture, which has that SHA-1, if possible.
    func keep(_ picture: [UInt8], named sha1: String)
    /// Removes all pictures of the account, because it is no longer used.
    func removeAll()
}
