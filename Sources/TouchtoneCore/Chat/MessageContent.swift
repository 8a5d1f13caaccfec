// SPDX-License-Identifier: GPL-3.0-or-later

/// The content of a message: a text, and the parts that few messages have.
public struct MessageContent: Hashable, Sendable {
    /// A range of the text that stands for an element which some apps do not know (XEP-0428).
    public struct Fallback: Hashable, Sendable {
        public let namespace: String
        /// The range, counted in Unicode scalars (XEP-0426).
        public let range: Range<Int>

        public init(_ range: Range<Int>, for namespace: String) {
            self.namespace = namespace
            self.range = range
        }
    }

    /// The maximum number of files in a message; others are dropped.
    public static let maximumFiles = 16
    /// The maximum number of fallbacks in a message; others are dropped.
    public static let maximumFallbacks = 32
    /// The maximum length of a fallback’s namespace, in bytes.
    public static let maximumNamespace = 256
    /// The number in place of that of this device; the numbers of others are greater.
    public static let thisDevice: UInt32 = 0
    private static let (maximumName, maximumHint) = (60, 200)

    /// The text as it was typed or received, with all fallbacks; a file’s name if there is none.
    public let text: String
    private var parts: Parts?
    /// The number of the sender’s device, whose key the encryption of the message used: `thisDevice` for this one; nil if it
    /// is not known, or the message is not encrypted.
    public var device: UInt32?
    /// The way in which the message was protected.
    public var protection: Protection

    /// The parts that most of the many messages in memory do not have, which are stored apart.
    private indirect enum Parts: Hashable, Sendable {
        case values([SharedFile], [Fallback], encryption: String?, isUnstyled: Bool, spoiler: String?)

        init?(
            _ files: [SharedFile], _ fallbacks: [Fallback], encryption: String?, isUnstyled: Bool,
            spoiler: String?
        ) {
            guard
                !files.isEmpty || !fallbacks.isEmpty || encryption != nil || isUnstyled || spoiler != nil
            else { return nil }
            self = .values(
                files, fallbacks, encryption: encryption, isUnstyled: isUnstyled, spoiler: spoiler)
        }
    }

    /// Creates a content.
    ///
    /// - Parameters:
    ///   - fallbacks: The ranges in any order; those that are not in the text are cut or dropped.
    ///   - encryption: The name of the encryption that this device cannot read; nil if the message is not encrypted.
    ///   - isUnstyled: Whether the sender says that what looks like styling marks is none.
    ///   - spoiler: The hint before a hidden text; nil if the text is not hidden.
    ///   - protection: The way in which the message was protected.
    ///   - device: The number of the sender’s device, or `thisDevice`.
    public init(
        _ text: String, files: [SharedFile] = [], fallbacks: [Fallback] = [], encryption: String? = nil,
        isUnstyled: Bool = false, spoiler: String? = nil, protection: Protection = .none,
        device: UInt32? = nil
    ) {
        self.text = text
        (self.protection, self.device) = (protection, device)
        parts = Parts(
            Array(files.prefix(Self.maximumFiles)), Self.valid(fallbacks, in: text),
            encryption: encryption.map { PlainText.line($0, maximum: Self.maximumName) },
            isUnstyled: isUnstyled, spoiler: spoiler.map { PlainText.line($0, maximum: Self.maximumHint) })
    }

    /// Creates the content of a message that is a file without a text of its own.
    public init(file: SharedFile) { self.init(file.name, files: [file]) }

    public var files: [SharedFile] {
        get { if case .values(let files, _, _, _, _)? = parts { files } else { [] } }
        set {
            parts = Parts(
                Array(newValue.prefix(Self.maximumFiles)), fallbacks, encryption: encryption,
                isUnstyled: isUnstyled, spoiler: spoiler)
        }
    }

    public var file: SharedFile? { files.first }

    /// The different ranges of the text that stand for other elements, in order.
    public var fallbacks: [Fallback] {
        if case .values(_, let fallbacks, _, _, _)? = parts { fallbacks } else { [] }
    }

    /// The name of the encryption that this device cannot read, which may be empty (XEP-0380); nil if the message is not
    /// encrypted.
    ///
    /// The text is then for apps that do not know the encryption, and never shown.
    public var encryption: String? {
        if case .values(_, _, let encryption, _, _)? = parts { encryption } else { nil }
    }

    /// Whether the sender says that what looks like styling marks is none (XEP-0393 section 6).
    public var isUnstyled: Bool {
        if case .values(_, _, _, let isUnstyled, _)? = parts { isUnstyled } else { false }
    }

    /// The hint before a text that is hidden until the user asks for it, which may be empty (XEP-0382); nil if the text
    /// is not hidden.
    public var spoiler: String? {
        if case .values(_, _, _, _, let spoiler)? = parts { spoiler } else { nil }
    }
}

// MARK: - Text to show

extension MessageContent {
    /// The namespace of replies, which quote the earlier message as their fallback (XEP-0461).
    public static let replies = "urn:xmpp:reply:0"
    /// The namespaces of what messages say of others, whose fallback is all of their text (XEP-0444, XEP-0424, XEP-0425).
    public static let annotations: Set<String> = [
        "urn:xmpp:reactions:0", "urn:xmpp:message-retract:0", "urn:xmpp:message-retract:1",
        "urn:xmpp:message-moderate:0", "urn:xmpp:message-moderate:1",
    ]
    /// The namespaces of files, whose fallback is their addresses (XEP-0066, XEP-0447, XEP-0385); the second one is sent.
    public static let files = ["jabber:x:oob", "urn:xmpp:sfs:0", "urn:xmpp:sims:1"]
    private static let spoilers = "urn:xmpp:spoiler:0"

    /// The text to show: without the fallbacks for what the phone shows in another way, or a note in place of an encrypted
    /// text.
    ///
    /// A text that is all fallback, such as a reply without words of its own, is shown with it, because nobody should miss
    /// what somebody wrote.
    public var visibleText: String {
        if case .unreadable(let reason) = protection { return reason.sentence }
        if encryption != nil { return UnreadableReason.unknownMethod.sentence }
        guard !fallbacks.isEmpty else { return text }
        var shown = Self.annotations.union([Self.replies])
        if !files.isEmpty { shown.formUnion(Self.files) }
        if spoiler != nil { shown.insert(Self.spoilers) }
        let own = text(without: shown)
        return own.allSatisfy(\.isWhitespace) ? text : own
    }

    /// The line in place of a hidden text; nil if it is not hidden.
    public var spoilerLine: String? {
        spoiler.map { $0.isEmpty ? localized("Spoiler") : localized("Spoiler: {hint}", ["hint": $0]) }
    }

    /// The beginning of the text that quotes another message, without marks of quotation; nil if there is none.
    public var quotation: String? {
        guard let range = leadingQuotation else { return nil }
        let quoted = String(String.UnicodeScalarView(text.unicodeScalars.prefix(range.upperBound)))
        let lines = quoted.split(separator: "\n").map { line in
            line.hasPrefix("> ") ? line.dropFirst(2) : line.hasPrefix(">") ? line.dropFirst() : line
        }
        let plain = lines.joined(separator: "\n")
        return plain.allSatisfy(\.isWhitespace) ? nil : plain
    }

    /// Returns a content with a quotation before the text, for apps that do not show what it replies to.
    public init(_ text: String, quoting quoted: String) {
        let lines = quoted.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)\n" }
        let quotation = lines.joined()
        let range = 0..<quotation.unicodeScalars.count
        self.init(quotation + text, fallbacks: [Fallback(range, for: Self.replies)])
    }

    /// Returns the content with its text hidden behind a hint, which may be empty; nil hides nothing.
    func hidden(behind hint: String?) -> MessageContent {
        guard let hint else { return self }
        return MessageContent(
            text, files: files, fallbacks: fallbacks, isUnstyled: isUnstyled, spoiler: hint,
            protection: protection, device: device)
    }

    /// Returns the content with another text after its quotation, if it has one.
    func replacing(with text: String) -> MessageContent {
        guard let range = leadingQuotation else {
            return MessageContent(text, spoiler: spoiler, protection: protection)
        }
        let quotation = String(String.UnicodeScalarView(self.text.unicodeScalars.prefix(range.upperBound)))
        return MessageContent(
            quotation + text, fallbacks: [Fallback(range, for: Self.replies)], spoiler: spoiler,
            protection: protection)
    }

    private var leadingQuotation: Range<Int>? {
        fallbacks.first { $0.namespace == Self.replies && $0.range.lowerBound == 0 }?.range
    }

    /// Returns the text without the fallbacks for the elements of some namespaces.
    public func text(without namespaces: Set<String>) -> String {
        let hidden = fallbacks.filter { namespaces.contains($0.namespace) }.map(\.range)
        guard !hidden.isEmpty else { return text }
        var visible = String.UnicodeScalarView()
        // The ranges are sorted by their beginning, and may overlap.
        var (next, end) = (0, 0)
        for (index, scalar) in text.unicodeScalars.enumerated() {
            while next < hidden.count, hidden[next].lowerBound <= index {
                end = max(end, hidden[next].upperBound)
                next += 1
            }
            if index >= end { visible.append(scalar) }
        }
        return String(visible)
    }

    /// Returns the ranges that are in a text, each once and in order.
    private static func valid(_ fallbacks: [Fallback], in text: String) -> [Fallback] {
        guard !fallbacks.isEmpty else { return [] }
        let length = text.unicodeScalars.count
        var valid: [Fallback] = []
        for fallback in fallbacks
        where !fallback.namespace.isEmpty && fallback.namespace.utf8.count <= maximumNamespace {
            let fallback = Fallback(fallback.range.clamped(to: 0..<length), for: fallback.namespace)
            guard !fallback.range.isEmpty, !valid.contains(fallback) else { continue }
            valid.append(fallback)
            if valid.count == maximumFallbacks { break }
        }
        return valid.sorted {
            ($0.range.lowerBound, $0.range.upperBound, $0.namespace)
                < ($1.range.lowerBound, $1.range.upperBound, $1.namespace)
        }
    }
}
