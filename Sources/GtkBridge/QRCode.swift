// SPDX-License-Identifier: GPL-3.0-or-later

package import GLibBridge

/// The QR code of a text, made by libqrencode, which is loaded for the first one.
package struct QRCode: Sendable {
    /// The number of modules in a row.
    package let side: Int
    private let modules: [UInt8]

    /// The result of the library, as `QRcode` in qrencode.h.
    private struct Result {
        let version, width: CInt
        let data: UnsafePointer<UInt8>?
    }

    private struct Functions: Sendable {
        let encode: @convention(c) (UnsafePointer<CChar>, CInt, CInt, CInt, CInt) -> UnsafeMutableRawPointer?
        let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    }

    private static let library = LazyLibrary { () throws(SharedLibrary.Failure) in
        let library = try SharedLibrary(ofSystem: "libqrencode.so.4")
        return Functions(
            encode: try library.function("QRcode_encodeString"), free: try library.function("QRcode_free"))
    }

    /// `QR_MODE_8`, for bytes, and `QR_ECLEVEL_L`, with the largest modules.
    private static let (bytes, low): (CInt, CInt) = (2, 0)

    /// Makes the code of a text.
    ///
    /// - Throws: A failure if libqrencode is not installed, or the text is too long for a code.
    package init(_ text: String) throws(SharedLibrary.Failure) {
        let functions = try Self.library.functions()
        guard let made = functions.encode(text, 0, Self.low, Self.bytes, 1) else {
            throw SharedLibrary.Failure(reason: "the text is too long for a QR code")
        }
        defer { functions.free(made) }
        let result = made.assumingMemoryBound(to: Result.self).pointee
        guard (1...177).contains(result.width), let data = result.data else {
            throw SharedLibrary.Failure(reason: "libqrencode made no code")
        }
        side = Int(result.width)
        modules = Array(UnsafeBufferPointer(start: data, count: side * side))
    }

    /// Returns whether a module is dark.
    package func isDark(_ x: Int, _ y: Int) -> Bool { modules[y * side + x] & 1 != 0 }
}
