// SPDX-License-Identifier: GPL-3.0-or-later

// Names in the place of numbers: who is at the far end of a call is shown by name where the name is known. What is
// dialled, copied and pasted is always the number.

extension Phone {
    /// Somebody may be called otherwise than before: the display is written anew.
    public func namesChanged() {
        showNumber()
        if case .incoming = status, let new = atRestWithName { status = new }
        recordCalls()
        publish()
    }

    /// The name that the display shows in the place of the number: that of who is in the call, or calls.
    var nameShown: String? { farEndShown.flatMap { name(of: $0) } }

    /// What the status line calls who calls, or called: by number where the display has the name already.
    func caller(_ remote: RemoteParty) -> String {
        let isShown = farEndShown == remote
        return (isShown ? nil : name(of: remote, maximum: SegmentText.maximumStatusLength, gap: " "))
            ?? formatter.string(for: remote.number)
    }

    private var atRestWithName: PhoneStatus? {
        if case .incoming = atRest { atRest } else { nil }
    }

    /// The contact's name, else the one that came with the call.
    private func name(of remote: RemoteParty, maximum: Int = SegmentText.longest, gap: String = "  ")
        -> String?
    {
        let name = nameOf?(remote) ?? remote.displayName
        return SegmentText.name(name, maximum: maximum, gap: gap)
    }
}

/// What a segment display can write of a text.
enum SegmentText {
    /// As many characters of a name as are legible in the display.
    static let longest = 20
    /// As many as stand behind `MISSED` in the status line.
    static let maximumStatusLength = PhoneStatus.maximumTextLength - 7

    /// A name in capitals, without accents and cut; nil where segments have no form for one of its letters.
    ///
    /// - Parameter gap: what stands between words; a space of the display's face is narrow, so that there are two.
    static func name(_ name: String, maximum: Int = longest, gap: String = "  ") -> String? {
        // Whoever writes a contact may call it anything, at any length.
        let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(200)))
        var text = ""
        for character in name {
            if let ascii = character.asciiValue {
                text.append((0x21...0x7E).contains(ascii) ? character : " ")
                continue
            }
            // A mark that belongs to no letter, such as a typographic apostrophe or an invisible one, is left out.
            let folded = SearchText.folded("a\(character)").dropFirst().filter { $0 != " " }
            guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            text += folded
        }
        return cut(text.uppercased().split(separator: " "), maximum: maximum, gap: gap)
    }

    /// As many whole words as there is room for, and a part of the next one where they are short.
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
