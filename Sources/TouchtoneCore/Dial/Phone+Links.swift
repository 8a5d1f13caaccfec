// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers and addresses from elsewhere: pasted, dropped, from links and over D-Bus.

/// A text that names nothing that can be called.
public struct UnreadableTarget: Error, Hashable, Sendable {
    /// The reason, as the display shows it.
    public let status: PhoneStatus
}

extension Phone {
    /// Replaces the displayed number with the one in any text, or with its address.
    ///
    /// If there is none, or it is too long, the displayed number stays.
    public func paste(_ text: String?) {
        let text = text ?? ""
        show { () throws(UnreadableTarget) in try target(in: text) }
    }

    /// Replaces the displayed number with that of a `tel:`, `callto:`, `sip:` or `xmpp:` link; a link never dials.
    public func open(link: String) {
        show { () throws(UnreadableTarget) in try target(ofLink: link) }
    }

    /// Returns the number in any text, or its address, without showing it.
    public func target(in text: String) throws(UnreadableTarget) -> CallTarget {
        guard text.utf8.count <= DialledNumber.readingLimit else { throw UnreadableTarget(status: .tooLong) }
        if let person = person(in: text.trimmed) { return .address(person) }
        if let address = address(in: text) { return try target(ofAddress: address) }
        switch DialledNumber.read(text) {
        case .number(let number): return .number(number)
        case .noDigits: throw UnreadableTarget(status: .noNumber)
        case .tooLong: throw UnreadableTarget(status: .tooLong)
        }
    }

    private func target(ofLink link: String) throws(UnreadableTarget) -> CallTarget {
        if XMPPURI.hasScheme(link) {
            guard let address = CallAddress(link) else { throw UnreadableTarget(status: .linkRefused) }
            return .address(address)
        }
        guard !SIPURI.hasScheme(link) else { return try target(ofAddress: link) }
        do throws(TelURIError) {
            return .number(try TelURI(link).number)
        } catch {
            throw UnreadableTarget(status: PhoneStatus(error))
        }
    }

    private func show(_ read: () throws(UnreadableTarget) -> CallTarget) {
        do throws(UnreadableTarget) {
            switch try read() {
            case .number(let number):
                fillIn(number)
                publish()
            case .address(let address): enter(address)
            }
        } catch {
            refuse(error.status)
            publish()
        }
    }

    /// Returns the person on Jabber that a word is: one with a scheme, or the address of a buddy.
    ///
    /// Without a line that calls SIP addresses, it is any address.
    private func person(in word: String) -> CallAddress? {
        guard let jabber, !jabber.isEmpty else { return nil }
        let isLink = XMPPURI.hasScheme(word)
        guard isLink || isAddress(word), let link = try? XMPPURI(isLink ? word : "xmpp:" + word)
        else { return nil }
        let address = CallAddress(link)
        guard !isLink, lineForAddresses?() != nil, case .jabber(let person, _) = address else {
            return address
        }
        return jabber.isBuddy(person) ? address : nil
    }

    private func isAddress(_ word: String) -> Bool {
        word.contains("@") && !word.contains { $0.isWhitespace || ":?#%".contains($0) }
    }

    /// Returns the SIP address that a text is, perhaps without its scheme if a line can call addresses.
    private func address(in text: String) -> String? {
        let word = text.trimmed
        if SIPURI.hasScheme(word) { return word }
        guard !word.contains(where: \.isWhitespace), !word.prefix(while: { $0 != "@" }).contains(":"),
            lineForAddresses?() != nil
        else { return nil }
        return (try? SIPURI(entered: word))?.text
    }

    private func target(ofAddress link: String) throws(UnreadableTarget) -> CallTarget {
        if let user = SIPURI.user(inLink: link) { return try complete(user.link, number: user.number) }
        do throws(SIPURIError) {
            return .address(.sip(try SIPURI(link)))
        } catch {
            throw UnreadableTarget(status: PhoneStatus(error))
        }
    }

    /// Completes a `sip:` link without a host: a number is dialled on the chosen line if that is an account, and any
    /// other user is one of the account that addresses are called on.
    private func complete(
        _ link: String, number: DialledNumber?
    ) throws(UnreadableTarget) -> CallTarget {
        let account = lineForAddresses?()?.address ?? ""
        let isSecure = link.lowercased().hasPrefix("sips:")
        if let number,
            account.isEmpty || line.calls == .sip && !isSecure || calls.emergency.contains(number)
        {
            return .number(number)
        }
        guard !account.isEmpty else { throw UnreadableTarget(status: .noSIPAccount) }
        guard let address = (try? SIPURI(account))?.address(ofUserInLink: link) else {
            throw UnreadableTarget(status: .linkRefused)
        }
        return .address(.sip(address))
    }
}
