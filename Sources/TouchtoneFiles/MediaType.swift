// SPDX-License-Identifier: GPL-3.0-or-later

/// A media type, such as `image/png`.
enum MediaType {
    private static let maximumBytes = 127

    /// Returns a media type in lowercase; nil if the text does not have the form of one without parameters.
    static func checked(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && !"\\\";,".utf8.contains($0) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard isPlain, text.utf8.count <= maximumBytes, parts.count == 2, !parts.contains("") else {
            return nil
        }
        return text.lowercased()
    }
}
