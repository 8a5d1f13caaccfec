// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A part that not all messages have, as it is stored: the parts of a message are one text, with a line for each and its
/// fields separated by tabs.
enum StoredPart {
    case reply(MessageReply)
    /// A file besides the first one, which has columns of its own.
    case file(SharedFile)
    /// The hash of the file with this index.
    case hash(FileHash, of: Int)
    /// The thumbnail of the file with this index.
    case thumbnail(String, of: Int)
    case fallback(MessageContent.Fallback)
    case encryption(String)
    case unstyled
    /// The hint before a hidden text.
    case spoiler(String)
    /// The number of the device whose key encrypted the message.
    case device(UInt32)
    /// The nickname of the moderator who retracted the message.
    case moderator(String)

    /// Returns the text of a message’s parts; nil if it has none.
    static func text(of message: ChatMessage) -> String? {
        let content = message.content
        guard
            message.reply != nil || content.files.count > 1 || !content.fallbacks.isEmpty
                || content.encryption != nil || content.isUnstyled || content.spoiler != nil
                || content.device != nil || message.retraction?.moderator != nil
                || content.files.contains(where: { $0.hash != nil || $0.thumbnail != nil })
        else { return nil }
        var parts = message.reply.map { [reply($0)] } ?? []
        parts += content.files.dropFirst().map { .file($0) }
        for (index, file) in content.files.enumerated() {
            if let hash = file.hash { parts.append(.hash(hash, of: index)) }
            if let thumbnail = file.thumbnail { parts.append(.thumbnail(thumbnail, of: index)) }
        }
        parts += content.fallbacks.map { .fallback($0) }
        if let encryption = content.encryption { parts.append(.encryption(encryption)) }
        if content.isUnstyled { parts.append(.unstyled) }
        if let spoiler = content.spoiler { parts.append(.spoiler(spoiler)) }
        if let device = content.device { parts.append(.device(device)) }
        if let moderator = message.retraction?.moderator { parts.append(.moderator(moderator)) }
        return parts.map { $0.fields.map(escaped).joined(separator: "\t") }.joined(separator: "\n")
    }

    /// Reads the text of a message’s parts, without lines that have no meaning, because a bit has flipped.
    static func parts(in text: String) -> [StoredPart] {
        // Split by Unicode scalars: a separator and a combining accent are one character to Swift.
        text.unicodeScalars.split(separator: "\n").compactMap { line in
            StoredPart(line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped))
        }
    }

    private init?(_ fields: [String?]) {
        switch (fields.first ?? nil, fields.count) {
        case ("reply", 3), ("archive-reply", 3):
            guard let id = fields[1] else { return nil }
            self = .reply(
                MessageReply(
                    to: fields[0] == "reply" ? .stanza(id) : .archive(id),
                    by: fields[2].map { ChatAddress($0) }))
        case ("file", 6):
            guard let name = fields[1] else { return nil }
            self = .file(
                SharedFile(
                    url: fields[2], name: name, size: fields[3].flatMap { Int64($0) },
                    mediaType: fields[4] ?? "", path: fields[5]))
        case ("hash", 4):
            guard let index = fields[1].flatMap({ Int($0) }),
                let function = fields[2].flatMap({ FileHash.Function(rawValue: $0) }),
                let hash = fields[3].flatMap({ FileHash(function, digits: $0) })
            else { return nil }
            self = .hash(hash, of: index)
        case ("thumbnail", 3):
            guard let index = fields[1].flatMap({ Int($0) }), let thumbnail = fields[2] else { return nil }
            self = .thumbnail(thumbnail, of: index)
        case ("fallback", 4):
            guard let start = fields[1].flatMap({ Int($0) }), let end = fields[2].flatMap({ Int($0) }),
                start <= end, let namespace = fields[3]
            else { return nil }
            self = .fallback(MessageContent.Fallback(start..<end, for: namespace))
        case ("encryption", 2):
            guard let name = fields[1] else { return nil }
            self = .encryption(name)
        case ("unstyled", 1): self = .unstyled
        case ("spoiler", 2):
            guard let hint = fields[1] else { return nil }
            self = .spoiler(hint)
        case ("device", 2):
            guard let number = fields[1].flatMap({ UInt32($0) }) else { return nil }
            self = .device(number)
        case ("moderator", 2):
            guard let nickname = fields[1] else { return nil }
            self = .moderator(nickname)
        default: return nil
        }
    }

    private var fields: [String?] {
        switch self {
        case .reply(let reply):
            switch reply.original {
            case .stanza(let id): ["reply", id, reply.author?.text]
            case .archive(let id): ["archive-reply", id, reply.author?.text]
            }
        case .file(let file):
            ["file", file.name, file.url, file.size.map { "\($0)" }, file.mediaType, file.path]
        case .hash(let hash, let index): ["hash", "\(index)", hash.function.rawValue, hash.digits]
        case .thumbnail(let thumbnail, let index): ["thumbnail", "\(index)", thumbnail]
        case .fallback(let fallback):
            ["fallback", "\(fallback.range.lowerBound)", "\(fallback.range.upperBound)", fallback.namespace]
        case .encryption(let name): ["encryption", name]
        case .unstyled: ["unstyled"]
        case .spoiler(let hint): ["spoiler", hint]
        case .device(let number): ["device", "\(number)"]
        case .moderator(let nickname): ["moderator", nickname]
        }
    }

    private static func escaped(_ field: String?) -> String {
        guard let field else { return "\\-" }
        var text = String.UnicodeScalarView()
        for scalar in field.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\".unicodeScalars
            case "\t": text += "\\t".unicodeScalars
            case "\n": text += "\\n".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    private static func unescaped(_ text: Substring.UnicodeScalarView) -> String? {
        var field = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text {
            switch (isEscaped, scalar) {
            case (false, "\\"):
                isEscaped = true
                continue
            case (true, "-"): return nil
            case (true, "t"): field.append("\t")
            case (true, "n"): field.append("\n")
            default: field.append(scalar)
            }
            isEscaped = false
        }
        return String(field)
    }
}

extension [StoredPart] {
    /// The message that this one replies to.
    var reply: MessageReply? {
        lazy.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }.first
    }

    /// Returns the files after the first one, all with their hashes and thumbnails.
    func files(after first: SharedFile?) -> [SharedFile] {
        var files = first.map { [$0] } ?? []
        files += compactMap { if case .file(let file) = $0 { file } else { nil } }
        for part in self {
            switch part {
            case .hash(let hash, let index) where files.indices.contains(index): files[index].hash = hash
            case .thumbnail(let thumbnail, let index) where files.indices.contains(index):
                files[index].thumbnail = thumbnail
            default: break
            }
        }
        return files
    }

    var fallbacks: [MessageContent.Fallback] {
        compactMap { if case .fallback(let fallback) = $0 { fallback } else { nil } }
    }

    var encryption: String? {
        lazy.compactMap { if case .encryption(let name) = $0 { name } else { nil } }.first
    }
    var isUnstyled: Bool { contains { if case .unstyled = $0 { true } else { false } } }

    var spoiler: String? {
        lazy.compactMap { if case .spoiler(let hint) = $0 { hint } else { nil } }.first
    }

    var device: UInt32? {
        lazy.compactMap { if case .device(let number) = $0 { number } else { nil } }.first
    }

    var moderator: String? {
        lazy.compactMap { if case .moderator(let nickname) = $0 { nickname } else { nil } }.first
    }
}
