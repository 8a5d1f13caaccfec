// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension MessageContent {
    /// Reads the content of a message; returns nil if it has nothing to show.
    ///
    /// The addresses of files are also in the body, for clients that do not know files. A body with other words is a text of
    /// its own. An encrypted message is shown also without a body, because nobody
    /// should miss that it came. What is only for clients that do not know reactions or retractions is not shown.
    init?(_ message: Message) {
        let encryption = ExplicitEncryption.name(in: message)
        let files = encryption == nil ? FileSharing.files(in: message) : []
        let body = message.body ?? ""
        // The ranges are those of the body.
        var ranges = FallbackIndication.ranges(in: message)
        var text = body
        if let file = files.first, Self.isAddress(body, of: files, ranges) {
            (text, ranges) = (file.name, [])
        }
        // A place that the text does not tell is a line below it.
        if let place = UserLocation.place(in: message), encryption == nil, !body.contains("geo:") {
            text += (text.isEmpty ? "" : "\n") + place.text
        }
        let heading = Self.heading(of: message, isFile: !files.isEmpty)
        if text.isEmpty, heading.isEmpty, encryption == nil { return nil }
        self.init(
            heading + text, files: files,
            fallbacks: ranges.map { Fallback($0.range, after: heading, for: $0.namespace) },
            encryption: encryption, isUnstyled: StylingHint.isUnstyled(message),
            spoiler: encryption == nil ? Spoiler.hint(in: message) : nil)
        if encryption == nil, files.isEmpty, isAnnotation { return nil }
    }

    /// Returns whether a body has no words besides the addresses of the message’s files, and what is marked as such.
    private static func isAddress(_ body: String, of files: [SharedFile], _ ranges: [Fallback]) -> Bool {
        let own = MessageContent(body, fallbacks: ranges).text(without: Set(Self.files + [Self.replies]))
        return own.split(whereSeparator: \.isWhitespace).allSatisfy { word in
            files.contains { $0.url.map { $0 == word } ?? false }
        }
    }

    /// Whether the text is for clients that do not know what the message says of another one.
    private var isAnnotation: Bool {
        fallbacks.contains { Self.annotations.contains($0.namespace) }
            && text(without: Self.annotations).allSatisfy(\.isWhitespace)
    }

    private static let maximumSubject = 300

    /// Returns the subject of a single message or of a server's announcement, to stand above its text.
    private static func heading(of message: Message, isFile: Bool) -> String {
        guard !isFile, message.kind != .groupchat, let subject = message.subject else { return "" }
        let line = PlainText.line(subject, maximum: maximumSubject)
        guard message.body?.isEmpty != false else { return line.isEmpty ? "" : line + "\n" }
        // A chat has a subject beside its messages.
        return message.kind == .chat ? "" : line
    }
}

extension MessageContent.Fallback {
    /// Creates the range of a body that follows a heading.
    fileprivate init(_ range: Range<Int>, after heading: String, for namespace: String) {
        let count = heading.unicodeScalars.count
        // A range without an end goes on to the last number.
        func moved(_ bound: Int) -> Int { min(bound, .max - count) + count }
        self.init(moved(range.lowerBound)..<moved(range.upperBound), for: namespace)
    }
}
