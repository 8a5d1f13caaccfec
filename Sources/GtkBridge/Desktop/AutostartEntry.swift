// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of a desktop entry in the autostart folder (Desktop Application Autostart Specification).
///
/// The user may have written or changed it, so that all other lines are preserved.
public struct AutostartEntry: Hashable, Sendable {
    public let text: String

    private static let mark = "X-Touchtone-Written=true"
    /// The largest file that is read, in bytes.
    static let maximum = 64 << 10

    public init(_ text: String) { self.text = text }

    /// Creates an entry that starts the executable file `program` with one argument, of letters and dashes.
    public init(name: String, icon: String, program: String, argument: String) {
        text = """
            [Desktop Entry]
            Type=Application
            Version=1.4
            Name=\(name)
            Icon=\(icon)
            Exec=\(Self.quoted(program)) \(argument)
            TryExec=\(Self.escaped(program))
            Terminal=false
            \(Self.mark)

            """
    }

    /// Whether the desktop starts the program.
    public var isOn: Bool { value("Hidden") != "true" && value("X-GNOME-Autostart-enabled") != "false" }

    /// Whether the program has written the entry, so that it may delete it.
    public var isOwn: Bool { group.contains(Self.mark[...]) }

    public func switched(on isOn: Bool) -> AutostartEntry {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let end = endOfGroup(lines)
        for index in lines[..<end].indices.reversed()
        where ["Hidden", "X-GNOME-Autostart-enabled"].contains(Self.key(of: lines[index])) {
            lines.remove(at: index)
        }
        if !isOn, let head = lines.firstIndex(of: Self.head[...]) {
            lines.insert("Hidden=true", at: head + 1)
        }
        return AutostartEntry(lines.joined(separator: "\n"))
    }

    private static let head = "[Desktop Entry]"

    /// The lines of the entry's own group; actions follow in groups of their own.
    private var group: ArraySlice<Substring> {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines[..<endOfGroup(lines)]
    }

    private func endOfGroup(_ lines: [Substring]) -> Int {
        guard let head = lines.firstIndex(of: Self.head[...]) else { return lines.count }
        return lines[(head + 1)...].firstIndex { $0.hasPrefix("[") } ?? lines.count
    }

    private func value(_ key: String) -> Substring? {
        guard let line = group.last(where: { Self.key(of: $0) == key }), let equals = line.firstIndex(of: "=")
        else { return nil }
        return Self.trimmed(line[line.index(after: equals)...])
    }

    private static func key(of line: Substring) -> Substring {
        line.firstIndex(of: "=").map { trimmed(line[..<$0]) } ?? ""
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }

    /// Returns a path as an argument of the key Exec.
    private static func quoted(_ path: String) -> String {
        let quoted = path.map { character in
            switch character {
            case "\"", "`", "$", "\\": "\\\(character)"
            case "%": "%%"
            default: String(character)
            }
        }
        return escaped("\"\(quoted.joined())\"")
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
