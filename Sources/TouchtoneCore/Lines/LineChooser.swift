// SPDX-License-Identifier: GPL-3.0-or-later

/// The line that Dial uses: one of several, by the setting `dial-line`.
@MainActor
public final class LineChooser: Line {
    /// The lines there are, in the order of preference.
    public let lines: [any Line]

    /// The setting: a line's id, or anything else for the first that is available.
    public var setting: String { didSet { choose() } }

    /// The line that is used, as it was found when there was last a reason to look.
    public private(set) var chosen: any Line

    /// Called when another line is used than before.
    public var onChange: (() -> Void)?

    /// Not called: each of the lines has its own.
    public var onIncoming: ((any Call) -> Void)?

    /// Creates a line that stands for one of these.
    ///
    /// - Parameters:
    ///   - lines: in the order of preference.
    ///   - last: the one that is left where no other can be used.
    public init(_ lines: [any Line], last: any Line, setting: String) {
        self.lines = lines + [last]
        self.setting = setting
        chosen = last
        choose()
    }

    /// Looks again which line is to be used: what is installed may have changed.
    ///
    /// A call never does so by itself: a number would go to another line than the display says.
    public func choose() {
        let before = chosen.id
        chosen = Self.line(of: lines, setting: setting) ?? chosen
        if chosen.id != before { onChange?() }
    }

    /// The line that a setting means; nil where it names none and none is available.
    ///
    /// - Parameter lines: in the order of preference.
    public static func line(of lines: [any Line], setting: String) -> (any Line)? {
        lines.first { $0.id == setting } ?? lines.first(where: \.isAvailable)
    }

    /// That of the line that is used.
    public var id: String { chosen.id }
    /// That of the line that is used.
    public var label: String { chosen.label }
    /// Whether the line that is used can be.
    public var isAvailable: Bool { chosen.isAvailable }
    /// Those of the line that is used.
    public var rules: DialRules { chosen.rules }

    /// The line that is used: the one whose label is shown, whatever has become available since.
    public func resolved() -> any Line { chosen.resolved() }

    /// Has the line that is used begin the call.
    public func dial(_ remote: RemoteParty) -> any Call { resolved().dial(remote) }
}
