// SPDX-License-Identifier: GPL-3.0-or-later

extension BuddyList {
    /// A pending request to see the user’s presence.
    public struct Request: Hashable, Identifiable, Sendable {
        public let id: ChatAddress
        /// The text of the request; often empty.
        public var text: String
    }
}
