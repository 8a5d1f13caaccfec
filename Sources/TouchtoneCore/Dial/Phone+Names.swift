// SPDX-License-Identifier: GPL-3.0-or-later

// Names in place of numbers: the display shows the name of the far end if it is known, with its number in the caption.
// Dialling, copying and pasting always use the number.

extension Phone {
    /// Updates the display after contacts' names changed.
    public func namesChanged() {
        showNumber()
        if case .waiting = status, let new = atRestWithName { status = new }
        recordCalls()
        publish()
    }

    /// The text of the large line, and whether it is words: the far end, or else what is to be dialled.
    var largeLine: (text: String, isWords: Bool) {
        guard let remote = farEndShown else {
            return address.map { (DisplayName.text($0.shown), true) } ?? (
                formatter.string(for: number), false
            )
        }
        if let name = contactName(of: remote) { return (name, true) }
        if !remote.number.isEmpty { return (formatter.string(for: remote.number), false) }
        return (ownName(of: remote) ?? Self.text(ofAddress: remote.address) ?? Self.unknownCaller, true)
    }

    var presentCaption: String {
        if let remote = farEndShown { return caption(of: remote) }
        if calls.isTakingNumber, number.isEmpty, address == nil {
            return localizedIn("segment display", "SECOND NUMBER?")
        }
        if let prompt { return prompt }
        if let memoryQuestion { return memoryQuestion.caption }
        switch status {
        case .chosen(let name): return DisplayName.text(name)
        case .noVoicemail, .noPickup: return localizedIn("segment display", "SEE PREFERENCES")
        case .callEnded(_, isPractice: true):
            return localizedIn("segment display", "REAL CALLS: PREFERENCES")
        case .notReached(.noSuchNumber): return localizedIn("segment display", "CHECK NUMBER")
        default: break
        }
        if let address { return contactName(of: RemoteParty(DialledNumber(), address: address.text)) ?? "" }
        guard isFilledIn, !number.isEmpty else { return "" }
        return contactName(of: RemoteParty(number)) ?? ""
    }

    /// The kind of the number to dial or a question, in the caption, which no suggestion may cover; nil for none.
    public var prompt: String? {
        guard farEndShown == nil else { return nil }
        // The kind of the number stays in sight whatever the status has to say.
        return status.prompt ?? (isEmergency ? PhoneStatus.emergencyNumber.prompt : nil)
    }

    /// The lamps of the answering machine and of a recording, and the line of the call, or the one that Dial uses; without
    /// the line if the status names it.
    public var lineName: String {
        let lamp =
            calls.current?.isRecorded == true
            ? localizedIn("segment display", "REC")
            : calls.machineRules.isOn ? localizedIn("segment display", "ANS") : ""
        return [lamp, presentLine].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private var presentLine: String {
        if case .incoming = status { return "" }
        if let ringing = calls.answerable, dialKey == .answer { return calls.label(ofLine: ringing.line) }
        guard remoteInCall != nil, let current = calls.current else { return lineShown.label }
        return calls.label(ofLine: current.line)
    }

    /// Returns the name of a far end for other programs: that of a contact, or in quotes the one that the caller chose; empty
    /// if there is neither.
    public func name(of remote: RemoteParty) -> String {
        if let name = nameOf?(remote).map({ PlainText.line($0) }), !name.isEmpty { return name }
        let chosen = PlainText.line(remote.displayName)
        return chosen.isEmpty ? "" : "\"\(chosen)\""
    }

    /// Returns the name of a caller, or else the number or the address, as the display shows it.
    public func caller(_ remote: RemoteParty) -> String {
        if let name = contactName(of: remote) { return name }
        guard remote.number.isEmpty else { return formatter.string(for: remote.number) }
        return DisplayName.text(remote.displayName).nonEmpty ?? Self.text(ofAddress: remote.address)
            ?? Self.unknownCaller
    }

    private static var unknownCaller: String { localizedIn("segment display", "UNKNOWN CALLER") }

    /// Returns what the large line does not say of a far end.
    private func caption(of remote: RemoteParty) -> String {
        let address = Self.text(ofAddress: remote.address) ?? ""
        let isNamed = contactName(of: remote) != nil
        if isNamed || remote.number.isEmpty {
            guard remote.number.isEmpty else { return formatter.string(for: remote.number) }
            return isNamed || ownName(of: remote) != nil ? address : ""
        }
        return ownName(of: remote) ?? (dialKey == .answer ? Self.unknownCaller : "")
    }

    private func contactName(of remote: RemoteParty) -> String? {
        nameOf?(remote).flatMap { DisplayName.text($0).nonEmpty }
    }

    /// Returns the name that arrived with a call, in quotes, because the caller chose it.
    private func ownName(of remote: RemoteParty) -> String? {
        DisplayName.text(remote.displayName).nonEmpty.map { "\"\($0)\"" }
    }

    private static func text(ofAddress address: String) -> String? {
        CallAddress(address).flatMap { DisplayName.text($0.shown).nonEmpty }
    }

    private var atRestWithName: PhoneStatus? {
        if case .waiting = atRest { atRest } else { nil }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
