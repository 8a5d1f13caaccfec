// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The list of rooms, which is short and always read and written as a whole. It is stored as text: a line for each room,
// with its fields separated by tabs.
extension StoreDatabase {
    private static let maximumRooms = 2000

    func rooms() throws(StoreError) -> [RoomRecord] {
        let lines = try mark(prefix + "rooms")?.split(separator: "\n") ?? []
        return lines.prefix(Self.maximumRooms).compactMap { RoomRecord(line: $0) }
    }

    func saveRooms(_ rooms: [RoomRecord]) throws(StoreError) {
        let text = rooms.prefix(Self.maximumRooms).map(\.line).joined(separator: "\n")
        try setMark(prefix + "rooms", text.isEmpty ? nil : text)
    }
}

extension RoomRecord {
    /// Parses a line; returns nil if a field is missing.
    fileprivate init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == 4, !fields[0].isEmpty, !fields[1].isEmpty else { return nil }
        self.init(
            ChatAddress(fields[0]), name: fields[3], nickname: fields[1],
            isAutojoined: fields[2].contains("a"), isBookmarked: fields[2].contains("b"),
            notifiesAll: fields[2].contains("n"), showsAddresses: fields[2].contains("v"))
    }

    fileprivate var line: String {
        let marks = [(isAutojoined, "a"), (isBookmarked, "b"), (notifiesAll, "n"), (showsAddresses, "v")]
            .map { $0 ? $1 : "" }.joined()
        return [address.text, nickname, marks, name].map(Self.field).joined(separator: "\t")
    }

    private static func field(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
