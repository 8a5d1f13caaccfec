// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension MessageContent {
    /// Reads the content of a message; returns nil if it has nothing to show.
    ///
    /// A file is shared by its address, which is also the body for clients that do not know files (XEP-0066 section 3).
    /// A body with other words is a text of its own. An encrypted message is shown also without a body, because nobody
    /// should miss that it came. What is only for clients that do not know reactions or retractions is not shown.
    init?(_ message: Message) {
        let encryption = ExplicitEncryption.name(in: message)
        let file =
            encryption == nil ? OutOfBandData(in: message).flatMap { SharedFile(received: $0.url) } : nil
        let body = message.body ?? ""
        let text = body.isEmpty || body == file?.url ? file?.name ?? body : body
        let heading = Self.heading(of: message, isFile: file != nil)
        if text.isEmpty, heading.isEmpty, encryption == nil { return nil }
        // The ranges are those of the body.
        let ranges = text == body ? FallbackIndication.ranges(in: message) : []
        self.init(
            heading + text, files: file.map { [$0] } ?? [],
            fallbacks: ranges.map { Fallback($0.range, after: heading, for: $0.namespace) },
            encryption: encryption, isUnstyled: StylingHint.isUnstyled(message),
            spoiler: encryption == nil ? Spoiler.hint(in: message) : nil)
        if encryption == nil, file == nil, isAnnotation { return nil }
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
