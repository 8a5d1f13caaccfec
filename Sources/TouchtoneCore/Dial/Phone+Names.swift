// SPDX-License-Identifier: GPL-3.0-or-later

// Names in place of numbers: the display shows the name of the far end if it is known. Dialling, copying and pasting
// always use the number.

extension Phone {
    /// Updates the display after contacts' names changed.
    public func namesChanged() {
        showNumber()
        if case .incoming = status, let new = atRestWithName { status = new }
        recordCalls()
        publish()
    }

    /// The name that the display shows in place of the number: that of the far end of the present or incoming call.
    var nameShown: String? { farEndShown.flatMap { name(of: $0) } }

    /// Returns the caller's name for the status line, or the number if the display already shows the name.
    func caller(_ remote: RemoteParty) -> String {
        let isShown = farEndShown == remote
        return (isShown ? nil : name(of: remote, maximum: SegmentText.maximumStatusLength, gap: " "))
            ?? numberOrAddress(of: remote)
    }

    /// The SIP address that the display shows in place of a number: that of the far end, or the one to dial.
    var addressShown: String? {
        guard let remote = farEndShown else {
            return address.flatMap { SegmentText.name($0.shown, maximum: SegmentText.longest, gap: " ") }
        }
        return remote.number.isEmpty
            ? Self.text(ofAddress: remote.address, maximum: SegmentText.longest) : nil
    }

    private func numberOrAddress(of remote: RemoteParty) -> String {
        guard remote.number.isEmpty else { return formatter.string(for: remote.number) }
        return Self.text(ofAddress: remote.address, maximum: SegmentText.maximumStatusLength) ?? ""
    }

    private static func text(ofAddress address: String, maximum: Int) -> String? {
        (try? SIPURI(address)).flatMap { SegmentText.name($0.shown, maximum: maximum, gap: " ") }
    }

    private var atRestWithName: PhoneStatus? {
        if case .incoming = atRest { atRest } else { nil }
    }

    /// Returns the contact's name, else the one that arrived with the call.
    private func name(of remote: RemoteParty, maximum: Int = SegmentText.longest, gap: String = "  ")
        -> String?
    {
        let name = nameOf?(remote) ?? remote.displayName
        return SegmentText.name(name, maximum: maximum, gap: gap)
    }
}

/// Text in the characters of a segment display.
public enum SegmentText {
    /// Returns the name of an app as a line's label, or the name itself if the display has no form for it; empty for an
    /// empty name.
    public static func label(ofApp name: String) -> String {
        self.name(name, maximum: longest, gap: " ") ?? PlainText.line(name, maximum: longest)
    }

    /// The greatest number of legible characters of a name in the display.
    static let longest = 20
    /// The greatest number of characters after `MISSED` in the status line.
    static let maximumStatusLength = PhoneStatus.maximumTextLength - 7

    /// Returns a name in capitals, cut and without accents; nil if the display has no form for one of its letters.
    ///
    /// - Parameter gap: The text between words; a space of the display's font is narrow, so that there are two.
    static func name(_ name: String, maximum: Int = longest, gap: String = "  ") -> String? {
        // A contact's name may have any content and length.
        let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(200)))
        var text = ""
        for character in name {
            if let ascii = character.asciiValue {
                text.append((0x21...0x7E).contains(ascii) ? character : " ")
                continue
            }
            // A mark that belongs to no letter, such as a typographic apostrophe or an invisible one, is omitted.
            let folded = SearchText.folded("a\(character)").dropFirst().filter { $0 != " " }
            guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            text += folded
        }
        return cut(text.uppercased().split(separator: " "), maximum: maximum, gap: gap)
    }

    /// Joins the whole words that fit, and a part of the next one if they are short.
    private static func cut(_ words: [Substring], maximum: Int, gap: String) -> String? {
        guard var text = words.first.map({ String($0.prefix(maximum)) }) else { return nil }
        for word in words.dropFirst() {
            let room = maximum - text.utf8.count - gap.utf8.count
            guard word.utf8.count > room else {
                text += gap + word
                continue
            }
            if room > 0, text.utf8.count < maximum / 2 { text += gap + word.prefix(room) }
            break
        }
        return text
    }
}
