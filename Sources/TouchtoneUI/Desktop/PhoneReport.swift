// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
public import TouchtoneCore

/// The report of `touchtone --diagnose`: it has no secrets, texts, names, addresses or numbers.
@MainActor
public struct PhoneReport {
    private var report = Report()

    /// Continues a report that the running phone has begun.
    public init(after report: String) { self.report = Report(after: report) }

    /// Begins a report with what holds for any process of the program; `facts` are versions of libraries and the like.
    public init(version: String, facts: [(name: String, value: String)]) {
        report.begin("Touchtone")
        report.add("version", version)
        report.begin("System")
        report.add("system", PlainText.line(Self.system))
        report.add("session", Self.environment("XDG_SESSION_TYPE"))
        report.add("desktop", Self.environment("XDG_CURRENT_DESKTOP"))
        report.add("language", Self.language)
        report.add("sandbox", g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS) != 0 ? "Flatpak" : "")
        report.begin("Libraries")
        report.add("GLib", "\(glib_major_version).\(glib_minor_version).\(glib_micro_version)")
        report.add(
            "GTK", "\(gtk_get_major_version()).\(gtk_get_minor_version()).\(gtk_get_micro_version())")
        for fact in facts { report.add(fact.name, fact.value) }
    }

    public var text: String { report.text }

    /// Adds the numbers of accounts in the settings, for a phone that does not run.
    public mutating func addAccounts(sip: Int, jabber: Int) {
        report.begin("Accounts")
        report.add("phone", "not running")
        report.add("SIP", String(sip))
        report.add("Jabber", String(jabber))
    }

    /// Adds the sound devices by their ALSA names, without those of people’s headsets.
    public mutating func add(_ devices: [SoundDevice], _ microphones: [SoundDevice]) {
        report.begin("Sound devices")
        for device in devices { report.add("output", Self.text(of: device)) }
        for device in microphones { report.add("microphone", Self.text(of: device)) }
    }

    /// Returns the name of a device; of one at the sound server, which may have an address or a person’s name, only what it is.
    private static func text(of device: SoundDevice) -> String {
        guard device.name.hasPrefix("pulse:") else { return Scrubber().scrubbed(device.name) }
        let kinds = [
            "alsa_output", "alsa_input", "bluez_output", "bluez_input", "bluez_sink", "bluez_source",
        ]
        return "pulse:" + (kinds.first { device.name.hasPrefix("pulse:\($0).") } ?? "…")
    }

    /// Adds the states of the running phone.
    mutating func add(_ dependencies: PhoneDependencies, problems: [String]) {
        report.begin("Phone")
        report.add("locked", dependencies.lock.isLocked ? "yes" : "no")
        let calls = dependencies.phone.calls.calls.map { call in
            "\(call.direction == .incoming ? "incoming" : "outgoing") \(call.state.busName)"
        }
        report.add("calls", calls.joined(separator: ", "))
        for line in dependencies.lines.lines
        where !dependencies.lines.accounts.contains(where: { $0 === line }) {
            report.add("line", line.state == .available ? "available" : "not available")
        }
        report.begin("Accounts")
        report.add("SIP engine", dependencies.accounts?.isSupported == true ? "installed" : "")
        for account in dependencies.accounts?.accounts ?? [] {
            report.add("SIP", Self.text(of: account))
        }
        for account in dependencies.messages.accounts?.all ?? [] where account.details.isAccount {
            report.add("Jabber", Self.text(of: account))
        }
        report.begin("Last problems")
        for problem in problems { report.add("problem", problem) }
    }

    /// Returns the state of a SIP account, without its address.
    static func text(of account: TelephoneAccount) -> String {
        let scrubber = Scrubber(hiding: words(of: [account.address]))
        switch account.state {
        case .disabled: return "turned off"
        case .asking: return "waiting for the keyring"
        case .passwordWanted(let reason): return text(of: reason, scrubber)
        case .connecting: return "registering"
        case .registered: return "registered"
        case .failed(let reason): return "failed: " + scrubber.scrubbed(reason)
        }
    }

    /// Returns the state of a Jabber account, without its address.
    static func text(of account: ChatAccount) -> String {
        let details = account.details
        let scrubber = Scrubber(hiding: words(of: [details.address, details.host, account.label]))
        switch account.state {
        case .none: return "none"
        case .disabled: return "turned off"
        case .signedOut: return "signed out"
        case .asking: return "waiting for the keyring"
        case .passwordWanted(let reason): return text(of: reason, scrubber)
        case .connecting: return "signing in"
        case .online: return "online"
        case .waiting(let reason): return "reconnecting: " + scrubber.scrubbed(reason)
        case .failed(let problem): return "failed: " + scrubber.scrubbed(problem.text)
        }
    }

    private static func text(of reason: ChatAccount.PasswordReason, _ scrubber: Scrubber) -> String {
        switch reason {
        case .noneKept: "the keyring has no password"
        case .noKeyring: "there is no keyring"
        case .keyringRefused(let reason): "the keyring refused: " + scrubber.scrubbed(reason)
        }
    }

    /// Returns addresses and their parts, each of which may stand alone in a text.
    private static func words(of addresses: [String]) -> [String] {
        addresses.flatMap { [$0] + $0.split { ":@;/".contains($0) }.map { String($0) } }
            .filter { !["sip", "sips", "xmpp"].contains($0) }
    }

    private static var system: String {
        let content =
            Resources.content(of: "/etc/os-release").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let mark = "PRETTY_NAME="
        let line = content.split(separator: "\n").first { $0.hasPrefix(mark) } ?? ""
        return String(line.dropFirst(mark.count).filter { $0 != "\"" })
    }

    private static var language: String {
        let name = g_get_language_names()?.pointee.map { String(cString: $0) } ?? ""
        return Scrubber().scrubbed(String(name.prefix { $0 != "@" && $0 != "." }))
    }

    private static func environment(_ name: String) -> String {
        g_getenv(name).map { Scrubber().scrubbed(String(cString: $0)) } ?? ""
    }
}
