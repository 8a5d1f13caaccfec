// SPDX-License-Identifier: GPL-3.0-or-later

/// The names of encrypted files on a server, which tell nothing but the kind of file.
///
/// The kind is needed: other apps know a picture or a voice message, before they have it, by the ending alone.
enum HiddenFileName {
    /// The media type of all of them.
    static let mediaType = "application/octet-stream"

    private static let length = 24
    /// The endings that are kept; any other could be a word of the user’s.
    private static let endings: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "heic", "avif", "svg", "ogg", "oga", "opus", "wav", "flac",
        "mp3", "m4a",
        "aac", "mp4", "webm", "mov", "mkv", "pdf", "txt", "zip", "odt", "ods", "odp", "docx", "xlsx", "pptx",
        "vcf",
        "ics", "epub",
    ]

    /// Makes up a name.
    static func make(for file: SharedFile) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var random = SystemRandomNumberGenerator()
        let name = String(
            (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
        let parts = file.name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last.map({ String($0) }), endings.contains(ending) else {
            return name
        }
        return "\(name).\(ending)"
    }
}
