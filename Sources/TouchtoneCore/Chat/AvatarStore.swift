// SPDX-License-Identifier: GPL-3.0-or-later

/// A persistent cache of buddies' pictures, by their SHA-1 in lower-case hex.
@MainActor
public protocol AvatarStore: AnyObject {
    func picture(named sha1: String) async -> [UInt8]?
    /// Stores a picture, which has that SHA-1, if possible.
    func keep(_ picture: [UInt8], named sha1: String)
    /// Removes all pictures, because they belong to an account that is no longer used.
    func removeAll()
}
