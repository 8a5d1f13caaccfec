// SPDX-License-Identifier: GPL-3.0-or-later

// Names in the place of numbers: who is at the far end of a call is shown by name where the name is known. What is
// dialled, copied and pasted is always the number.

extension Phone {
    /// Somebody may be called otherwise than before: the display is written anew.
    public func namesChanged() {
        showNumber()
        if case .incoming = status, let new = atRestWithName { status = new }
        noteCalls()
        publish()
    }

    /// The name that the display shows in the place of the number: that of who is in the call, or calls.
    var nameShown: String? { farEndShown.flatMap { name(of: $0) } }

    /// What the status line calls who calls, or called: by number where the display has the name already.
    func caller(_ number: DialledNumber) -> String {
        let isShown = farEndShown == number
        return (isShown ? nil : name(of: number, most: SegmentText.longestInStatus))
            ?? formatter.string(for: number)
    }

    private var atRestWithName: PhoneStatus? {
        if case .incoming = atRest { atRest } else { nil }
    }

    private func name(of number: DialledNumber, most: Int = SegmentText.longest) -> String? {
        nameOf?(number).flatMap { SegmentText.name($0, most: most) }
    }
}

/// What a segment display can write of a text.
enum SegmentText {
    /// As many characters of a name as are legible in the display.
    static let longest = 20
    /// As many as stand behind `MISSED` in the status line.
    static let longestInStatus = PhoneStatus.longestText - 7

    /// A name in capitals, without accents and cut; nil where segments have no form for one of its letters.
    static func name(_ name: String, most: Int = longest) -> String? {
        // Whoever writes a contact may call it anything, at any length.
        let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(200)))
        var text = ""
        for character in name {
            if let ascii = character.asciiValue {
                if (0x21...0x7E).contains(ascii) {
                    text.append(character)
                } else if !text.isEmpty, text.last != " " {
                    text += " "
                }
                continue
            }
            // A mark that belongs to no letter, such as a typographic apostrophe or an invisible one, is left out.
            let folded = SearchText.folded("a\(character)").dropFirst().filter { $0 != " " }
            guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            text += folded
        }
        let shown = text.prefix(most).uppercased()
        let cut = shown.last == " " ? String(shown.dropLast()) : shown
        return cut.isEmpty ? nil : cut
    }
}
