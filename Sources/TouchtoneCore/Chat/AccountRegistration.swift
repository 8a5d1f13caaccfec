// SPDX-License-Identifier: GPL-3.0-or-later

/// The creation of one account on a server (XEP-0077).
@MainActor
public protocol AccountRegistration: AnyObject {
    /// Connects over TLS, and returns the form that the server asks the user to fill in; call it again to start over.
    func form() async throws(RegistrationError) -> RegistrationForm
    /// Sends the filled-in form, and returns the account that exists from now on.
    func register(_ form: RegistrationForm) async throws(RegistrationError) -> RegisteredAccount
    /// Ends the connection; nothing more is sent.
    func end()
}

/// The server for a new account, and what the user knows of it.
public struct RegistrationRequest: Hashable, Sendable {
    /// The server’s domain, as the user or a link has it.
    public var server: String
    /// The host, the port and the security, as for an account; the address is not used.
    public var connection: AccountDetails
    /// The SHA-256 fingerprint, in hex, of a certificate to trust unverified; empty for none.
    public var trustedCertificate: String
    /// The token of an invitation (XEP-0445); empty for none.
    public var token: String

    public init(
        server: String, connection: AccountDetails = AccountDetails(), trustedCertificate: String = "",
        token: String = ""
    ) {
        (self.server, self.connection) = (server, connection)
        (self.trustedCertificate, self.token) = (trustedCertificate, token)
    }
}

/// The form of a server for a new account.
public struct RegistrationForm: Hashable, Sendable {
    /// The name of the field for the part of the address before the @.
    public static let nameField = "username"
    public static let passwordField = "password"

    /// The server’s words and its fields.
    public var form: RoomForm
    /// The names of the fields that the server requires.
    public let required: Set<String>
    /// The address of the server’s web page for new accounts, with `https`; empty if there is none.
    public let page: String
    /// Whether each field is sent as an element of its own, and not as part of a data form.
    public let isPlain: Bool
    /// The files of the pictures that stand above fields, by the names of these.
    public let pictures: [String: [UInt8]]
    private let asksForMore: Bool

    /// - Parameter asksForMore: Whether it asks for something that is not shown, such as the words in a recording.
    public init(
        _ form: RoomForm, required: Set<String> = [], page: String = "", isPlain: Bool = false,
        pictures: [String: [UInt8]] = [:], asksForMore: Bool = false
    ) {
        (self.form, self.required, self.page) = (form, required, page)
        (self.isPlain, self.pictures, self.asksForMore) = (isPlain, pictures, asksForMore)
    }

    /// Whether an account can be made with the form: without a name and a password, nobody could sign in.
    public var canBeSent: Bool {
        !asksForMore && self[Self.nameField] != nil && self[Self.passwordField] != nil
    }

    /// Returns or changes the text of a field; nil if there is none, or it takes no line of text.
    public subscript(name: String) -> String? {
        get {
            switch form.fields.first(where: { $0.name == name })?.answer {
            case .line(let text), .secret(let text): text
            default: nil
            }
        }
        set {
            guard let newValue, let index = form.fields.firstIndex(where: { $0.name == name }) else { return }
            switch form.fields[index].answer {
            case .line: form.fields[index].answer = .line(newValue)
            case .secret: form.fields[index].answer = .secret(newValue)
            default: break
            }
        }
    }

    /// The first required field that is empty; nil if there is none.
    public var missing: RoomForm.Field? {
        form.fields.first { field in
            guard required.contains(field.name) else { return false }
            switch field.answer {
            case .line(let text), .secret(let text): return text.isEmpty
            case .lines(let lines): return lines.allSatisfy(\.isEmpty)
            case .one(let value, _): return value.isEmpty
            case .any(let values, _): return values.isEmpty
            case .note, .toggle, .hidden: return false
            }
        }
    }
}

/// An account that a server has made.
public struct RegisteredAccount: Hashable, Sendable {
    public let details: AccountDetails
    public let password: String
    /// The fingerprint of the certificate that the user trusted for it; empty for none.
    public let trustedCertificate: String

    public init(details: AccountDetails, password: String, trustedCertificate: String) {
        (self.details, self.password) = (details, password)
        self.trustedCertificate = trustedCertificate
    }
}

/// The reason why there is no form or no account.
public struct RegistrationError: Error, Hashable, Sendable {
    /// The reason, as a sentence or two for the user.
    public let text: String
    /// The certificate that the server is not trusted for; nil if that is not the reason.
    public let certificate: CertificateReport?

    public init(_ text: String, certificate: CertificateReport? = nil) {
        (self.text, self.certificate) = (text, certificate)
    }
}
