// SPDX-License-Identifier: GPL-3.0-or-later

/// The mark of a pinned room in its bookmark (XEP-0469).
enum RoomPin {
    static let namespace = "urn:xmpp:bookmarks-pinning:0"

    static func isSet(in bookmark: XMLElement) -> Bool {
        bookmark.extensions.child("pinned", namespace) != nil
    }

    /// Returns a bookmark with the mark or without it; what other programs have stored in it stays.
    static func setting(_ isPinned: Bool, in bookmark: XMLElement) -> XMLElement {
        guard isPinned != isSet(in: bookmark) else { return bookmark }
        var extensions = bookmark.extensions
        if isPinned {
            extensions.append(XMLElement("pinned", namespace))
        } else {
            extensions.removeChildren { $0.isNamed("pinned", namespace) }
        }
        return bookmark.replacing(extensions)
    }
}
