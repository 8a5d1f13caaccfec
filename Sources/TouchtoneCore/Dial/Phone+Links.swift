// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers and addresses from elsewhere: pasted, dropped, from links and over D-Bus.

extension Phone {
    /// Replaces the displayed number with the one in any text, or with its address.
    ///
    /// If there is none, or it is too long, the displayed number stays.
    public func paste(_ text: String?) {
        let text = text ?? ""
        if let person = person(in: text.trimmed) { return enter(person) }
        if let address = address(in: text) { return openAddress(address) }
        switch DialledNumber.read(text) {
        case .number(let number): fillIn(number)
        case .noDigits: refuse(.noNumber)
        case .tooLong: refuse(.tooLong)
        }
        publish()
    }

    /// Replaces the displayed number with that of a `tel:`, `callto:`, `sip:` or `xmpp:` link; a link never dials.
    public func open(link: String) {
        if XMPPURI.hasScheme(link) { return openPerson(link) }
        guard !SIPURI.hasScheme(link) else { return openAddress(link) }
        do throws(TelURIError) {
            fillIn(try TelURI(link).number)
        } catch {
            refuse(PhoneStatus(error))
        }
        publish()
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

    private func openPerson(_ link: String) {
        if let address = CallAddress(link) { return enter(address) }
        refuse(.linkRefused)
        publish()
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

    private func openAddress(_ link: String) {
        if let user = SIPURI.user(inLink: link) { return complete(user.link, number: user.number) }
        do throws(SIPURIError) {
            enter(.sip(try SIPURI(link)))
        } catch {
            refuse(PhoneStatus(error))
            publish()
        }
    }

    /// Completes a `sip:` link without a host: a number is dialled on the chosen line if that is an account, and any
    /// other user is one of the account that addresses are called on.
    private func complete(_ link: String, number: DialledNumber?) {
        let account = lineForAddresses?()?.address ?? ""
        let isSecure = link.lowercased().hasPrefix("sips:")
        if let number,
            account.isEmpty || line.calls == .sip && !isSecure || calls.emergency.contains(number)
        {
            fillIn(number)
        } else if account.isEmpty {
            refuse(.noSIPAccount)
        } else if let address = (try? SIPURI(account))?.address(ofUserInLink: link) {
            return enter(.sip(address))
        } else {
            refuse(.linkRefused)
        }
        publish()
    }
}
