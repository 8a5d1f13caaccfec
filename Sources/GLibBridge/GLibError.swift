// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

public struct GLibError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the error domain that `code` belongs to, such as `g-file-error-quark`.
    public let domain: String
    public let code: Int32
    /// The description of the error, in the user's language.
    public let message: String

    public var description: String { message }

    /// Creates an error for a failure that GLib does not report.
    public init(domain: String, message: String) {
        self.domain = domain
        self.message = message
        code = 0
    }

    /// The error with which another program on a bus answered; nil if this is none.
    public var fromBus: DBusError? {
        let mark = "GDBus.Error:"
        guard message.hasPrefix(mark) else { return nil }
        let rest = message.dropFirst(mark.count)
        guard let end = rest.firstRange(of: ": ") else { return nil }
        return DBusError(String(rest[..<end.lowerBound]), String(rest[end.upperBound...]))
    }

    public func matches(_ domain: GQuark, _ code: UInt32) -> Bool {
        self.code == Int32(bitPattern: code) && self.domain == String(cString: g_quark_to_string(domain))
    }

    /// Takes ownership of a `GError`, and frees it.
    public init(taking error: UnsafeMutablePointer<GError>) {
        domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
        code = error.pointee.code
        message = String(cString: error.pointee.message)
        g_error_free(error)
    }

    /// Calls a function that reports errors through a `GError **`, and throws the reported error.
    @discardableResult
    public static func check<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
    ) throws(GLibError) -> Result {
        var error: UnsafeMutablePointer<GError>?
        let result = body(&error)
        if let error { throw GLibError(taking: error) }
        return result
    }

    /// Calls a function that returns NULL on failure, and throws the reported error.
    public static func unwrap<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result?
    ) throws(GLibError) -> Result {
        guard let result = try check(body) else {
            throw GLibError(domain: "bridge", message: "a call failed without a reason")
        }
        return result
    }
}
