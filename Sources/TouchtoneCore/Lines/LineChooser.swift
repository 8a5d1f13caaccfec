// SPDX-License-Identifier: GPL-3.0-or-later

/// The line that Dial uses, chosen again when the setting `dial-line`, the lines or their states change.
///
/// A call never changes it: its number would go to a line other than the displayed one.
@MainActor
public final class LineChooser {
    /// The setting: a line's id; any other value selects the first account, or else the first available line.
    public var setting: String { didSet { if setting != oldValue { choose() } } }

    public private(set) var chosen: any Line

    private let lines: LineRegistry
    private let observers = Observers<Void>()

    public init(_ lines: LineRegistry, setting: String) {
        self.lines = lines
        self.setting = setting
        chosen = Self.line(of: lines, setting: setting)
        lines.observe(by: self) { [weak self] _ in self?.choose() }
    }

    /// Returns the line with that id, else an account, else the first available line, else the fallback.
    ///
    /// A line that calls people is used just by its id, also if a gateway takes its numbers, and so is a mobile: those
    /// calls may cost money.
    /// If no account can be used, calls fail with the reason on the first one: its user does not expect
    /// another program, or the practice exchange, to get the number.
    public static func line(of lines: LineRegistry, setting: String) -> any Line {
        if let named = lines.line(setting) { return named }
        let usable = lines.lines.first { $0.state == .available && $0.calls != .people && !$0.isMobile }
        return account(of: lines) ?? usable ?? lines.fallback
    }

    /// Returns the first account for numbers that is not unavailable, or else the first; one that registers is not
    /// skipped, so that calls do not move to another account.
    public static func account(of lines: LineRegistry) -> (any Line)? {
        let accounts = lines.accounts.filter { $0.calls != .people }
        let usable = accounts.first { if case .unavailable = $0.state { false } else { true } }
        return usable ?? accounts.first
    }

    /// Returns the line that calls SIP addresses: the chosen one if it does, or else the first account.
    public static func lineForSIP(of lines: LineRegistry, chosen: any Line) -> (any Line)? {
        chosen.calls == .sip ? chosen : account(of: lines)
    }

    /// Returns the line that reaches emergency services now: a mobile, else an account that is registered, the chosen one
    /// first, else another line that is available, else an account that is being registered; nil if there is none.
    public static func lineForHelp(of lines: LineRegistry, chosen: any Line) -> (any Line)? {
        let accounts = lines.accounts.filter { $0 === chosen } + lines.accounts.filter { $0 !== chosen }
        let mobiles = lines.lines.filter(\.isMobile)
        let all = (mobiles + accounts + lines.lines).filter { $0.reachesHelp && $0.callsNumbers }
        return all.first { $0.state == .available } ?? all.first { $0.state == .connecting }
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    private func choose() {
        let line = Self.line(of: lines, setting: setting)
        guard line !== chosen else { return }
        chosen = line
        observers.notify(())
    }
}
