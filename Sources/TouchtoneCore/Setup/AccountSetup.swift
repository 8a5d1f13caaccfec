// SPDX-License-Identifier: GPL-3.0-or-later

/// Accounts that somebody offers at a web address, in the format that docs/setup.md describes; strangers choose its contents.
public struct AccountSetup: Hashable, Sendable {
    /// The greatest size of a document, in bytes.
    public static let maximumBytes = 65_536
    static let maximumAccounts = 10
    /// The greatest length of a text, in bytes.
    static let maximumLength = 300
    /// The version of the format.
    private static let version = 1.0

    /// The name that the provider of the accounts gives itself; empty for none.
    public let name: String
    public let accounts: [ProposedAccount]
    /// The host that offers them, to which the one that was asked may have led on; empty if that is not known.
    public var host = ""

    public init(name: String = "", accounts: [ProposedAccount]) {
        (self.name, self.accounts) = (name, accounts)
    }

    /// Reads a document; members that this version does not know are ignored.
    public init(_ document: JSONValue) throws(AccountSetupError) {
        guard case .object(let members) = document, case .number(let version) = members["touchtone"] else {
            throw .notASetup
        }
        guard version == Self.version else { throw .otherVersion }
        guard case .list(let list) = members["accounts"] else { throw .notASetup }
        guard !list.isEmpty else { throw .noAccounts }
        guard list.count <= Self.maximumAccounts else { throw .tooManyAccounts }
        var accounts: [ProposedAccount] = []
        for (index, value) in list.enumerated() {
            guard let account = ProposedAccount(value) else { throw .unusable(number: index + 1) }
            accounts.append(account)
        }
        let name: String = if case .text(let name) = members["name"] { name } else { "" }
        self.init(name: PlainText.line(name, maximum: 80), accounts: accounts)
    }
}

public enum AccountSetupError: Error, Hashable, Sendable {
    /// There is no such document at the address.
    case notASetup
    /// The document is for another version of Touchtone.
    case otherVersion
    case noAccounts
    case tooManyAccounts
    /// The account with this number, from 1, cannot be used.
    case unusable(number: Int)
    /// The document could not be fetched.
    case transfer(FileTransferError)
}

/// A web address that offers accounts is asked through this, once the user wants it.
@MainActor
public protocol AccountSetupSource: AnyObject {
    /// Returns the host of an address, to be shown; nil if it is not an `https` address.
    func host(of address: String) -> String?

    /// Fetches the accounts that an address offers. Nothing is sent but the request, and nothing is saved.
    func setup(at address: String) async throws(AccountSetupError) -> AccountSetup
}
