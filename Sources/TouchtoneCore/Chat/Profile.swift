// SPDX-License-Identifier: GPL-3.0-or-later

/// The data about a person that the person's account publishes (XEP-0054).
public struct Profile: Hashable, Sendable {
    /// A kind of data, in the order in which it is shown.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        case name, nickname, company, number, email, website
    }

    /// The texts of each field, of any content and never empty; a field without texts is missing.
    public var texts: [Field: [String]]

    public init(_ texts: [Field: [String]] = [:]) { self.texts = texts }
}

/// The part of a service that reads and publishes profiles and pictures.
@MainActor
public protocol ProfileService: AnyObject {
    /// Requests the profile that a buddy, or the account itself, publishes; an empty one if there is none.
    func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile
    /// Changes the first text of each given field of the user’s profile; an empty one removes it.
    func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError)
    /// Publishes the user’s picture, a PNG file that is reported as the account’s own; nil removes it.
    func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError)
}

// MARK: - Profiles of the account and its buddies

extension Chat {
    /// Requests the profile of a buddy; an empty one if the buddy publishes none.
    public func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile {
        guard let profiles = service(of: buddy)?.profiles else { throw .unsupported }
        return try await profiles.profile(of: buddy)
    }

    public func ownProfile() async throws(ChatServiceError) -> Profile {
        guard let account else { throw .unsupported }
        return try await profile(of: account)
    }

    /// Changes the first text of each given field of the user's profile; an empty one removes it.
    public func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError) {
        guard let account, let profiles = service(of: account)?.profiles else { throw .unsupported }
        try await profiles.changeProfile(changes.mapValues(\.carried))
    }
}
