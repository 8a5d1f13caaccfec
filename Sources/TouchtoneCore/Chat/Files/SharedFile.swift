// SPDX-License-Identifier: GPL-3.0-or-later

/// The file of a message.
public struct SharedFile: Hashable, Sendable {
    /// The address for downloads; nil until the file is uploaded, and known only here for an offer.
    public var url: String?
    /// The name, without folders; never empty.
    public var name: String
    /// The size in bytes; nil if it is not known.
    public var size: Int64?
    /// The media type, such as `image/png`; empty if it is not known.
    public var mediaType: String
    /// The absolute path of the user’s file; nil for the file of another person or device.
    public var path: String?
    /// The hash of the content, which a download must have; nil if it is not known.
    public var hash: FileHash?
    /// A small copy of a picture, as a file in Base64; nil if the sender sent none.
    public var thumbnail: String?

    public init(
        url: String? = nil, name: String, size: Int64? = nil, mediaType: String = "", path: String? = nil,
        hash: FileHash? = nil, thumbnail: String? = nil
    ) {
        (self.url, self.name, self.size) = (url, name, size)
        (self.mediaType, self.path) = (mediaType, path)
        (self.hash, self.thumbnail) = (hash, thumbnail)
    }

    /// Creates a file; nil unless the address is one of HTTPS, with at most 2048 bytes of visible ASCII.
    public init?(received url: String) {
        guard url.utf8.count <= TextLink.limit, url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let host = Self.host(of: url)
        else { return nil }
        let name = Self.name(of: url) ?? host
        self.init(url: url, name: name, mediaType: Self.mediaType(of: name) ?? "")
    }

    /// Creates a file of which the sender states more than the address (XEP-0446); nil as without that.
    ///
    /// Leaves out what is implausible.
    ///
    /// - Parameters:
    ///   - name: Of any content.
    ///   - size: In bytes.
    ///   - mediaType: Of any content.
    ///   - thumbnail: A file in Base64.
    public init?(
        received url: String, name: String?, size: Int64?, mediaType: String?, hash: FileHash?,
        thumbnail: String?
    ) {
        self.init(received: url)
        if let name = name.flatMap(Self.name(in:)) {
            self.name = name
            self.mediaType = Self.mediaType(of: name) ?? self.mediaType
        }
        self.mediaType = mediaType.flatMap(Self.checked) ?? self.mediaType
        self.size = size.flatMap { (0...Self.greatestSize).contains($0) ? $0 : nil }
        self.hash = hash
        self.thumbnail = thumbnail.flatMap { $0.utf8.count <= Self.maximumThumbnail ? $0 : nil }
    }

    /// The maximum length of a thumbnail in Base64, in bytes.
    public static let maximumThumbnail = 16 << 10
    private static let greatestSize: Int64 = 1 << 50

    /// Creates the file that another device offers directly (XEP-0234).
    ///
    /// - Parameters:
    ///   - id: Unique also after a restart.
    ///   - name: Of any content.
    public init(offer id: String, name: String, size: Int64) {
        let name = Self.name(in: name) ?? "file"
        self.init(
            url: Self.offerScheme + id, name: name, size: size, mediaType: Self.mediaType(of: name) ?? "")
    }

    /// Whether the file is passed directly between two devices, without a server that stores it.
    public var isOffer: Bool { url?.hasPrefix(Self.offerScheme) == true }

    /// Whether the content is encrypted, with a key that only its address tells (XEP-0454).
    public var isEncrypted: Bool { url?.hasPrefix(Self.encryptedScheme) == true }

    /// Whether the file of the user’s lies in the clear on a server.
    public var isExposed: Bool { path != nil && url != nil && !isOffer && !isEncrypted }

    /// Whether the file is a picture of a kind that can be shown.
    public var isPicture: Bool { Self.pictureTypes.contains { $0.type == mediaType } }

    /// Whether the file is a sound of a kind that can be played.
    public var isSound: Bool { Self.soundTypes.contains { $0.type == mediaType } }

    /// Whether the file is a sound as messengers record it.
    public var isVoice: Bool { mediaType == "audio/ogg" || mediaType == "audio/x-opus+ogg" }

    /// The server of the file; empty if the file is not uploaded.
    public var host: String { url.flatMap(Self.host) ?? "" }

    private static let pictureTypes: [(ending: String, type: String)] = [
        ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"),
        ("webp", "image/webp"),
    ]

    private static let soundTypes: [(ending: String, type: String)] = [
        ("ogg", "audio/ogg"), ("oga", "audio/ogg"), ("opus", "audio/ogg"), ("opus", "audio/x-opus+ogg"),
        ("ogg", "audio/x-vorbis+ogg"), ("wav", "audio/x-wav"), ("wav", "audio/vnd.wave"),
        ("flac", "audio/flac"), ("mp3", "audio/mpeg"),
    ]

    private static func mediaType(of name: String) -> String? {
        let ending = name.lowercased().split(separator: ".").last.map { String($0) }
        return (pictureTypes + soundTypes).first { $0.ending == ending }?.type
    }

    /// Returns a media type in lowercase, without parameters; nil if the text is none.
    private static func checked(_ type: String) -> String? {
        guard type.utf8.count <= 127 else { return nil }
        let plain = type.lowercased().prefix { $0 != ";" && $0 != " " }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        let isToken = { (part: Substring) in
            !part.isEmpty && part.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"\\\",".utf8.contains($0) }
        }
        guard parts.count == 2, parts.allSatisfy(isToken) else { return nil }
        return plain == "image/jpg" ? "image/jpeg" : String(plain)
    }

    private static let scheme = "https://"
    public static let offerScheme = "offer:"
    public static let encryptedScheme = "aesgcm://"

    /// Creates a file whose content is encrypted; nil unless the text is the address of one, perhaps with a line of a
    /// thumbnail.
    public init?(encrypted text: String) {
        guard let line = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first,
            line.hasPrefix(Self.encryptedScheme), line.utf8.count <= TextLink.limit
        else { return nil }
        let parts = line.dropFirst(Self.encryptedScheme.count).split(
            separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, [88, 96].contains(parts[1].utf8.count),
            Hexadecimal.bytes(parts[1].utf8) != nil,
            let plain = SharedFile(received: Self.scheme + parts[0])
        else { return nil }
        let rest = text.dropFirst(line.count)
        guard rest.allSatisfy(\.isWhitespace) || rest.hasPrefix("\ndata:image/") else { return nil }
        self = plain
        url = String(line)
    }

    /// Returns the host of an address, without user and port.
    private static func host(of url: String) -> String? {
        let length = url.hasPrefix(encryptedScheme) ? encryptedScheme.count : scheme.count
        guard length > scheme.count || url.prefix(length).lowercased() == scheme else { return nil }
        let authority = url.dropFirst(length).prefix { !"/?#\\".contains($0) }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host =
            server.hasPrefix("[")
            ? server.prefix { $0 != "]" } + "]" : server.prefix { $0 != ":" }
        return host.isEmpty ? nil : host.lowercased()
    }

    /// Returns the last part of an address as the name of a file; nil if it is not one.
    private static func name(of url: String) -> String? {
        let path = url.dropFirst(scheme.count).drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        return name(in: PercentCoding.decoded(last.utf8) ?? String(last))
    }

    /// Returns the name in a text of any content, without folders; nil if there is none.
    private static func name(in text: String) -> String? {
        let part = text.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
        let name = PlainText.line(part, maximum: 200)
        return name.allSatisfy { $0 == "." || $0 == " " } ? nil : name
    }
}

extension ChatMessage {
    /// Whether the message consists of a file, without a text of its own.
    public var isFileAlone: Bool { file.map { $0.name == text } ?? false }

    /// Whether the file of the user’s message is not on a server yet.
    public var needsUpload: Bool { sender == .me && file != nil && file?.url == nil }

    /// The text that is sent: the address of a file, after the text about it.
    public var sentText: String {
        guard let file, !file.isOffer, let url = file.url else { return text }
        // Other apps know the link to an encrypted file only if it is alone.
        if isFileAlone || file.isEncrypted { return url }
        return text.contains(url) ? text : "\(text)\n\(url)"
    }

    /// The text for notifications and lists, which says what kind of file the message is, and hides a spoiler.
    public var summary: String {
        guard retraction == nil else { return localized("This message was deleted.") }
        if let line = content.spoilerLine { return line }
        if file == nil, let place = GeoURI(visibleText) {
            return localized("Place: {coordinates}", ["coordinates": place.coordinates])
        }
        guard let file, let name = fileTitle else { return visibleText }
        return file.isPicture
            ? localized("Picture: {name}", ["name": name]) : localized("File: {name}", ["name": name])
    }

    /// The text about the message’s files or, without one, the name of the first and the number of the others; nil without
    /// files.
    var fileTitle: String? {
        guard let file else { return nil }
        guard isFileAlone else { return PlainText.line(visibleText) }
        let (name, others) = (PlainText.line(file.name), content.files.count - 1)
        guard others > 0 else { return name }
        return localizedPlural(
            "{name} and {count} more file", "{name} and {count} more files", others, ["name": name])
    }

    /// Returns the message with one of its files alone.
    public func withFileAlone(_ index: Int) -> ChatMessage {
        guard content.files.indices.contains(index) else { return self }
        var copy = self
        copy.content = MessageContent(file: content.files[index])
        return copy
    }
}
