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

    private(set) var wanted: [CallTarget] = []

    var onKeys: [CallTarget] = [] { didSet { if onKeys != oldValue { changed() } } }

    init(of line: SIPLine, _ settings: SIPAccountSettings) { (self.line, self.settings) = (line, settings) }

    /// The addresses to watch, without the account's own.
    var addresses: [String] {
        let watched = onKeys.filter { wanted.contains($0) && line?.isOwn($0.remote) == false }
        return Array(watched.compactMap(address).prefix(SIPExtension.maximumWatched))
    }

    func setWanted(_ isWanted: Bool, _ target: CallTarget) {
        guard wanted.contains(target) != isWanted, SIPAccountSettings.isExtension(target) else { return }
        // Those that are on no key any more make way.
        let kept = wanted.filter { $0 != target && onKeys.contains($0) }
        wanted = kept + (isWanted ? [target] : [])
        settings.extensions = wanted
        changed()
    }

    /// Reads the extensions of the settings.
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

    func state(of target: CallTarget) -> ExtensionState {
        switch address(target).flatMap({ known[$0] })?.state {
        case .free: .free
        case .ringing: .ringing
        case .busy: .busy
        case .unknown, nil: .unknown
        }
    }

    /// Picks up by the code of the settings, as the user has chosen, and otherwise by what is known of the call.
    func pickup(at target: CallTarget) -> (@MainActor () -> any LineCall)? {
        guard let line, let address = address(target), let ringing = known[address], ringing.state == .ringing
        else { return nil }
        let caller = ringing.caller.address.isEmpty ? nil : RemoteParty(ringing.caller)
        if let code = settings.pickupCode, let called = called(by: code, for: target) {
            return {
                let call = line.dial(called)
                (call as? SIPCall)?.caller = caller
                return call
            }
        }
        guard ringing.canBePickedUp, line.state == .available else { return nil }
        return { line.pickUp(target.remote, at: address, from: caller) }
    }

    private func changed() {
        known = known.filter { addresses.contains($0.key) }
        onChange?()
        report()
    }

    private func report() { line?.onEvent?(.stateChanged) }

    /// Returns what a pickup code and an extension are together; nil if there is none, or if the extension is not of the
    /// account's domain, where the code may mean anything.
    private func called(by code: String, for target: CallTarget) -> RemoteParty? {
        switch target {
        case .number(let number): return DialledNumber(code + number.text).map { RemoteParty($0) }
        case .address(.sip(let address)):
            guard address.host == line?.uri?.host, let called = address.address(prefixed: code) else {
                return nil
            }
            return RemoteParty(DialledNumber(), address: called.text)
        case .address(.jabber): return nil
        }
    }

    /// Returns the address of an extension; that of a number is at the account's own domain.
    private func address(_ target: CallTarget) -> String? {
        guard let line else { return nil }
        switch target {
        case .number(let number): return line.address(of: RemoteParty(line.rules.apply(to: number)))
        case .address: return line.address(of: target.remote)
        }
    }
}
