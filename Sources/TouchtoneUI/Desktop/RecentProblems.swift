// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The last problems with accounts and calls, without addresses and numbers, for a report.
@MainActor
final class RecentProblems {
    /// The greatest number of problems that are kept.
    static let maximumCount = 20

    /// The problems, from the oldest.
    private(set) var texts: [String] = []
    private let wall: any WallClock
    private let accounts: (any TelephoneAccounts)?
    private let jabber: JabberAccounts?
    /// The last text of each account, since its state is reported again and again.
    private var last: [String: String] = [:]
    /// The Jabber accounts that are observed.
    private var watched: [ChatAccount] = []

    init(_ dependencies: PhoneDependencies) {
        (wall, accounts) = (dependencies.messages.wall, dependencies.accounts)
        jabber = dependencies.messages.accounts
        accounts?.observe(by: self) { [weak self] in self?.noteTelephone() }
        jabber?.observe(by: self) { [weak self] in self?.watchJabber() }
        dependencies.phone.calls.observe(by: self) { [weak self] change in
            if case .ended(let record) = change { self?.note(record) }
        }
    }

    private func noteTelephone() {
        for account in accounts?.accounts ?? [] {
            guard case .failed = account.state else {
                last["sip \(account.id)"] = nil
                continue
            }
            note("SIP: " + PhoneReport.text(of: account), of: "sip \(account.id)")
        }
    }

    private func watchJabber() {
        let known = watched
        watched = jabber?.all ?? []
        for account in watched where !known.contains(where: { $0 === account }) {
            account.observe(by: self) { [weak self, weak account] in
                if let account { self?.note(account) }
            }
        }
    }

    private func note(_ account: ChatAccount) {
        let key = "jabber \(ObjectIdentifier(account))"
        switch account.state {
        case .failed, .waiting: note("Jabber: " + PhoneReport.text(of: account), of: key)
        case .online: last[key] = nil
        default: break
        }
    }

    /// Notes a call that failed; how people end their calls is nobody’s business.
    private func note(_ record: CallRecord) {
        switch record.endReason {
        case .noCommonFormat: append("call: no format or encryption in common")
        case .notEncrypted: append("call: not encrypted")
        // A server puts its own words into the reason, which may name anybody.
        case .failed(let reason):
            let codes: [Substring] = reason.split { !$0.isASCII || !$0.isNumber }
            let code = codes.first { $0.count == 3 }
            append("call: failed" + (code.map { " (\($0))" } ?? ""))
        case .network: append("call: network")
        case .connectionLost: append("call: connection lost")
        default: break
        }
    }

    private func note(_ text: String, of key: String) {
        guard last[key] != text else { return }
        last[key] = text
        append(text)
    }

    private func append(_ text: String) {
        let seconds = wall.now.milliseconds / 1000 % 86_400
        let time = [seconds / 3600, seconds / 60 % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        texts.append("\(time.joined(separator: ".")) UTC \(text)")
        if texts.count > Self.maximumCount { texts.removeFirst() }
    }
}
