// SPDX-License-Identifier: GPL-3.0-or-later

/// A recording of a call in the history.
public struct Recording: Identifiable, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The words of a caller to the answering machine.
        case message
        /// Both sides of a call, the far end left and the near end right.
        case call
    }

    public let id: Int64
    /// The id of the call's entry in the history.
    public let entry: HistoryEntry.ID
    public let call: PastCall
    public let kind: Kind
    /// Nil if the file does not tell.
    public let length: Duration?
    public let isHeard: Bool
    /// The name of the file in the folder of recordings.
    public let file: String

    public var sound: VoiceMessages.Item { .recording(id) }

    public init(
        id: Int64, entry: HistoryEntry.ID, call: PastCall, kind: Kind, length: Duration?, isHeard: Bool,
        file: String
    ) {
        (self.id, self.entry, self.call, self.kind) = (id, entry, call, kind)
        (self.length, self.isHeard, self.file) = (length, isHeard, file)
    }
}

/// The rest of a recording at its end.
public enum RecordingOutcome: Hashable, Sendable {
    /// The length; nil if only the file tells.
    case kept(length: Duration?, isHeard: Bool)
    /// Nothing was said, so that nothing is kept.
    case nothing
}
