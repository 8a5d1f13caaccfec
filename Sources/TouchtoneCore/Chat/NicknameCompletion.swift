// SPDX-License-Identifier: GPL-3.0-or-later

/// The completion of nicknames in a text that the user writes in a room.
///
/// Completed again at once, a nickname is replaced by the next one with the same beginning.
public struct NicknameCompletion: Sendable {
    /// A change of the text before the cursor.
    public struct Change: Hashable, Sendable {
        /// The number of characters to remove before the cursor.
        public let removed: Int
        public let inserted: String
    }

    private struct Round: Sendable {
        /// The text before the nickname.
        let before: String
        let matches: [String]
        var index = 0

        var inserted: String { NicknameCompletion.mention(matches[index], isFirst: before.isEmpty) }
    }

    /// The maximum length of a nickname to complete, in characters.
    private static let maximum = 60
    private var round: Round?

    public init() {}

    /// Returns a nickname as it stands at the beginning of a text, or in it.
    static func mention(_ nickname: String, isFirst: Bool) -> String {
        nickname + (isFirst ? ", " : " ")
    }

    /// Returns the change that completes the nickname which a text ends with the beginning of; nil if there is none, or no
    /// other one after a completion.
    ///
    /// - Parameter names: The nicknames, the most likely ones first; only asked for when a completion begins.
    public mutating func complete(_ text: String, among names: () -> [String]) -> Change? {
        if var round, text == round.before + round.inserted {
            guard round.matches.count > 1 else { return nil }
            let removed = round.inserted.count
            round.index = (round.index + 1) % round.matches.count
            self.round = round
            return Change(removed: removed, inserted: round.inserted)
        }
        round = nil
        guard text.last?.isWhitespace == false else { return nil }
        let names = names()
        for start in Self.starts(in: text) {
            let beginning = text[start...].lowercased()
            let matches = names.filter { $0.lowercased().hasPrefix(beginning) }
            guard !matches.isEmpty else { continue }
            let found = Round(before: String(text[..<start]), matches: matches)
            round = found
            return Change(removed: text[start...].count, inserted: found.inserted)
        }
        return nil
    }

    /// Returns the beginnings of the last words, the earliest first: a nickname may have several words.
    private static func starts(in text: String) -> [String.Index] {
        let end = text.suffix(maximum)
        return end.indices.filter { index in
            !text[index].isWhitespace
                && (index == text.startIndex || text[text.index(before: index)].isWhitespace)
        }
    }
}

extension Conversation {
    /// The nicknames of the others in the room: first those who wrote last, then the rest by name.
    public var nicknames: [String] {
        let present = chat.nicknames(in: buddy)
        var names: [String] = []
        var known: Set<String> = []
        for message in window.reversed() {
            guard case .occupant(let occupant) = message.sender, present.contains(occupant.nickname),
                known.insert(occupant.nickname).inserted
            else { continue }
            names.append(occupant.nickname)
        }
        return names + present.subtracting(known).sorted()
    }
}
