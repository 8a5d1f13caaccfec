// SPDX-License-Identifier: GPL-3.0-or-later

/// Chooses the line that Dial uses: one of several, by the setting `dial-line`.
///
/// It looks again when the setting, the lines or their states change. A call never makes it look: a number would go to
/// another line than the display says.
@MainActor
public final class LineChooser {
    /// The setting: a line's id, or anything else for the first line that is available.
    public var setting: String { didSet { choose() } }

    /// The line that is used.
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

    /// Returns the line that a setting means: the one it names, else the first that is available, else the fallback.
    public static func line(of lines: LineRegistry, setting: String) -> any Line {
        lines.line(setting) ?? lines.lines.first { $0.state == .available } ?? lines.fallback
    }

    /// Calls `body` when another line is used than before, as long as `owner` is there.
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
