// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

/// The extensions of the telephone system of a SIP account, which its registrar tells of (RFC 4235).
@MainActor
final class SIPExtensions: LineExtensions {
    /// Called when other extensions are to be watched.
    var onChange: (() -> Void)?
    private weak var line: SIPLine?
    private let settings: SIPAccountSettings
    /// The states that the engine has said, by the addresses of the extensions.
    private var known: [String: SIPExtension] = [:]

    private(set) var wanted: [DialledNumber] = []

    var onKeys: [DialledNumber] = [] { didSet { if onKeys != oldValue { changed() } } }

    init(of line: SIPLine, _ settings: SIPAccountSettings) { (self.line, self.settings) = (line, settings) }

    /// The addresses to watch, without the account's own.
    var addresses: [String] {
        let numbers = onKeys.filter { wanted.contains($0) && line?.isOwn(RemoteParty($0)) == false }
        return Array(numbers.compactMap(address).prefix(SIPExtension.maximumWatched))
    }

    func setWanted(_ isWanted: Bool, _ number: DialledNumber) {
        guard wanted.contains(number) != isWanted, SIPAccountSettings.isExtension(number) else { return }
        // Numbers that are on no key any more make way.
        let kept = wanted.filter { $0 != number && onKeys.contains($0) }
        wanted = kept + (isWanted ? [number] : [])
        settings.extensions = wanted
        changed()
    }

    /// Reads the numbers of the settings.
    func read() {
        guard wanted != settings.extensions else { return }
        wanted = settings.extensions
        changed()
    }

    /// Takes what the engine has said.
    func note(_ state: SIPExtension, at address: String) {
        // It may not know yet that the extension is not watched any more.
        guard addresses.contains(address), known[address] != state else { return }
        known[address] = state
        report()
    }

    /// Forgets what is known, because the engine has ended or the account is not used.
    func forget() {
        guard !known.isEmpty else { return }
        known = [:]
        report()
    }

    func state(of number: DialledNumber) -> ExtensionState {
        switch address(number).flatMap({ known[$0] })?.state {
        case .free: .free
        case .ringing: .ringing
        case .busy: .busy
        case .unknown, nil: .unknown
        }
    }

    /// Picks up by the code of the settings, as the user has chosen, and otherwise by what is known of the call.
    func pickup(at number: DialledNumber) -> (@MainActor () -> any LineCall)? {
        guard let line, let address = address(number), let ringing = known[address], ringing.state == .ringing
        else { return nil }
        let caller = ringing.caller.address.isEmpty ? nil : RemoteParty(ringing.caller)
        if let code = settings.pickupCode, let called = DialledNumber(code + number.text) {
            return {
                let call = line.dial(RemoteParty(called))
                (call as? SIPCall)?.caller = caller
                return call
            }
        }
        guard ringing.canBePickedUp, line.state == .available else { return nil }
        return { line.pickUp(RemoteParty(number), at: address, from: caller) }
    }

    private func changed() {
        known = known.filter { addresses.contains($0.key) }
        onChange?()
        report()
    }

    private func report() { line?.onEvent?(.stateChanged) }

    /// Returns the address of an extension, at the account's own domain.
    private func address(_ number: DialledNumber) -> String? {
        guard let line else { return nil }
        return line.address(of: RemoteParty(line.rules.apply(to: number)))
    }
}
