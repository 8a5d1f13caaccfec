// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers and addresses from elsewhere: pasted, dropped, from links and over D-Bus.

extension Phone {
    /// Replaces the displayed number with the one in any text, or with its SIP address.
    ///
    /// If there is none, or it is too long, the displayed number stays.
    public func paste(_ text: String?) {
        let text = text ?? ""
        if let address = address(in: text) { return openAddress(address) }
        switch DialledNumber.read(text) {
        case .number(let number): fillIn(number)
        case .noDigits: refuse(.noNumber)
        case .tooLong: refuse(.tooLong)
        }
        publish()
    }

    /// Replaces the displayed number with that of a `tel:`, `callto:` or `sip:` link; a link never dials.
    public func open(link: String) {
        guard !SIPURI.hasScheme(link) else { return openAddress(link) }
        do throws(TelURIError) {
            fillIn(try TelURI(link).number)
        } catch {
            refuse(PhoneStatus(error))
        }
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
            enter(try SIPURI(link))
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
            account.isEmpty || !line.address.isEmpty && !isSecure || calls.emergency.contains(number)
        {
            fillIn(number)
        } else if account.isEmpty {
            refuse(.noSIPAccount)
        } else if let address = (try? SIPURI(account))?.address(ofUserInLink: link) {
            return enter(address)
        } else {
            refuse(.linkRefused)
        }
        publish()
    }
}
