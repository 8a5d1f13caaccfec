// SPDX-License-Identifier: GPL-3.0-or-later

/// The choice of the line that Dial uses, by the setting `dial-line`.
///
/// The choice is made again when the setting, the lines or their states change. A call never changes it: its number
/// would go to a line other than the displayed one.
@MainActor
public final class LineChooser {
    /// The setting: a line's id; any other value selects the first available line.
    public var setting: String { didSet { choose() } }

    /// The line that Dial uses.
    public private(set) var chosen: any Line

    private let lines: LineRegistry
    private let observers = Observers<Void>()

    /// Creates a chooser among the lines of a registry.
    public init(_ lines: LineRegistry, setting: String) {
        self.lines = lines
        self.setting = setting
        chosen = Self.line(of: lines, setting: setting)
        lines.observe(by: self) { [weak self] _ in self?.choose() }
    }

    /// Returns the line for a setting: the one with that id, else the first available line, else the fallback.
    public static func line(of lines: LineRegistry, setting: String) -> any Line {
        lines.line(setting) ?? lines.lines.first { $0.state == .available } ?? lines.fallback
    }

    /// Calls `body` when the chosen line changes, as long as `owner` exists.
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
