// SPDX-License-Identifier: GPL-3.0-or-later

/// The pictures in a form for a new account, whose text only a person can read (XEP-0158, XEP-0221).
///
/// They count only if they are in the server's answer itself (XEP-0231): nothing is fetched from elsewhere.
struct RegistrationPictures {
    private static let media = "urn:xmpp:media-element"
    /// The greatest size of a picture in Base64, in bytes, and their greatest number.
    private static let maximumSize = 256 << 10
    private static let maximumCount = 4

    /// The content of the files, by the names of the fields that they belong to.
    private(set) var files: [String: [UInt8]] = [:]
    /// Whether a field needs something that is not here, such as a recording.
    private(set) var lacksSome = false

    init(_ query: XMLElement) {
        let fields = (query.child("x", DataForm.namespace)?.children("field") ?? []).filter {
            $0.child("media", Self.media) != nil
        }
        for field in fields where files.count < Self.maximumCount {
            let addresses = field.child("media", Self.media)?.children("uri") ?? []
            let file = addresses.lazy.compactMap { Self.file($0, in: query) }.first
            if let name = field["var"] { files[name] = file }
        }
        // Beside a picture, a server may offer a recording: one of them will do.
        lacksSome = fields.contains { field in
            field["var"].map { files[$0] == nil } ?? true
                && (field.child("required") != nil || files.isEmpty)
        }
    }

    private static func file(_ uri: XMLElement, in query: XMLElement) -> [UInt8]? {
        guard uri["type"]?.hasPrefix("image/") == true, uri.text.hasPrefix("cid:") else { return nil }
        let id = String(uri.text.dropFirst(4))
        let data = query.children("data", BitsOfBinary.namespace).first { $0["cid"] == id }
        guard let text = data?.text, text.utf8.count <= maximumSize else { return nil }
        // Servers break the lines.
        return Base64.decode(text.filter { !$0.isWhitespace }).flatMap { $0.isEmpty ? nil : $0 }
    }
}
