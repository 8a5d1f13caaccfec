// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// An error that GLib reported: a `GError` as a value.
public struct GLibError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which list of codes `code` is from, as GLib names it: `g-file-error-quark`.
    public let domain: String
    /// The number in that list.
    public let code: Int32
    /// What happened, in the user's language.
    public let message: String

    /// The message.
    public var description: String { message }

    /// Creates an error of the program's own, for a failure that GLib does not report.
    public init(domain: String, message: String) {
        self.domain = domain
        self.message = message
        code = 0
    }

    /// Whether it has a domain, by its quark, and a code.
    public func matches(_ domain: GQuark, _ code: UInt32) -> Bool {
        self.code == Int32(bitPattern: code) && self.domain == String(cString: g_quark_to_string(domain))
    }

    /// Takes the error over: it is freed here.
    public init(taking error: UnsafeMutablePointer<GError>) {
        domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) } ?? ""
        code = error.pointee.code
        message = String(cString: error.pointee.message)
        g_error_free(error)
    }

    /// Calls a function that reports through a `GError **`, and throws what it reports.
    ///
    ///     try GLibError.check { gtk_builder_add_from_file(builder, path, $0) }
    @discardableResult
    public static func check<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
    ) throws(GLibError) -> Result {
        var error: UnsafeMutablePointer<GError>?
        let result = body(&error)
        if let error { throw GLibError(taking: error) }
        return result
    }

    /// Calls a function that returns NULL if it fails, and throws the error that it reports.
    public static func unwrap<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result?
    ) throws(GLibError) -> Result {
        guard let result = try check(body) else {
            throw GLibError(domain: "bridge", message: "a call failed without a reason")
        }
        return result
    }
}
