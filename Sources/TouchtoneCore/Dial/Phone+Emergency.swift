// SPDX-License-Identifier: GPL-3.0-or-later

// Emergency calls: they take the first line that reaches help, whatever line the user has chosen.

extension Phone {
    /// Whether the number to dial is one of an emergency service.
    public var isEmergency: Bool { address == nil && calls.emergency.contains(number) }

    /// The line that Dial uses: for an address, one that calls it; a second number takes that of the first call, to be
    /// joined or transferred.
    public var lineShown: any Line {
        if let address, let line = line(for: address) { return line }
        if isEmergency { return lineForHelp ?? line }
        guard calls.isTakingNumber, let first = calls.current else { return line }
        return calls.lines?.line(first.line).flatMap { $0.callsNumbers ? $0 : nil } ?? line
    }

    /// The line that reaches emergency services now; nil if there is none.
    var lineForHelp: (any Line)? {
        if let findLineForHelp { return findLineForHelp() }
        return line.reachesHelp && line.callsNumbers ? line : nil
    }

    /// Calls an emergency number without showing it, as the locked phone does; other calls are held, or end.
    ///
    /// - Returns: Whether a call was begun; `status` says if no line reaches help.
    @discardableResult
    public func callForHelp(_ number: DialledNumber) -> Bool {
        defer { publish() }
        guard calls.emergency.contains(number), let line = lineForHelp,
            calls.dial(RemoteParty(number), on: line)
        else {
            refuse(.cannotReachHelp)
            return false
        }
        return true
    }
}
