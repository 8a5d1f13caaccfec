// SPDX-License-Identifier: GPL-3.0-or-later

// The voicemail of the provider, `VM 3` on the display, and 1 held to call it; and `DIVERT` for calls that go elsewhere.

extension Phone {
    /// Whether any line has new messages in its voicemail.
    public var hasNewVoicemail: Bool { voicemails.contains(where: \.hasNewMessages) }

    /// The number of new messages in all voicemails, at most 999; nil if a provider does not say how many it has.
    public var newVoicemails: Int? {
        let new = voicemails.filter(\.hasNewMessages)
        let counts = new.compactMap(\.newMessages)
        return counts.count == new.count ? counts.reduce(0) { min($0 + $1, 999) } : nil
    }

    /// The new messages of all lines, as the display has them; nil if there are none.
    var voicemailText: String? {
        guard hasNewVoicemail else { return nil }
        guard let count = newVoicemails else { return localizedIn("segment display", "VM") }
        return localizedIn("segment display", "VM {count}", ["count": localizedNumber(count)])
    }

    /// Calls the voicemail of the line that Dial uses, in place of the 1 that is held.
    func callVoicemail() {
        silenceKey()
        keepHeldKeysShort()
        let line = lineShown
        guard let callee = line.voicemail.callee, line.canCall(callee) else {
            clear()
            return refuse(.noVoicemail)
        }
        if let address = CallAddress(callee.address), callee.number.isEmpty {
            show(address, saying: atRest)
        } else {
            show(callee.number, saying: atRest)
        }
        callShown(on: line)
    }

    private var voicemails: [Voicemail] { linesOfProvider.map(\.voicemail) }

    /// The lines whose providers may have something to say.
    private var linesOfProvider: [any Line] {
        let lines = calls.lines?.lines ?? []
        return lines.contains { $0 === line } ? lines : lines + [line]
    }

    /// `DIVERT` if any line diverts calls, so that nobody wonders why the phone does not ring.
    var diversionText: String? {
        linesOfProvider.contains { $0.diversion != nil } ? localizedIn("segment display", "DIVERT") : nil
    }
}
