// SPDX-License-Identifier: GPL-3.0-or-later

extension StoreError {
    /// What is the matter and what to do, in a sentence or two.
    public var text: String {
        switch self {
        case .full: "The disk is full. Messages can be kept again once there is room."
        case .damaged(let name):
            "The messages on the disk were damaged. They were set aside as “\(Self.shown(name))”, and what the server has comes back."
        case .newer:
            "The messages on the disk are of a newer Touchtone. They are left as they are, and nothing is kept."
        case .failed(let reason):
            Self.shown(reason).isEmpty
                ? "Messages can’t be kept." : "Messages can’t be kept: \(Self.shown(reason))"
        }
    }

    /// It is shown as it is: a system may say anything, at any length.
    private static func shown(_ reason: String) -> String {
        String(reason.prefix(120).filter { !$0.isNewline })
    }
}

extension ChatServiceError {
    /// What is the matter, in a sentence.
    public var text: String {
        switch self {
        case .offline: "You are not online."
        case .refused(let reason): String(reason.prefix(300))
        case .unsupported: "That can’t be done with this buddy."
        }
    }
}

extension Availability {
    /// How somebody is here, in a word, as it is read out.
    public var text: String {
        switch self {
        case .chat, .online: "online"
        case .away, .extendedAway: "away"
        case .busy: "busy"
        case .offline: "offline"
        }
    }
}
