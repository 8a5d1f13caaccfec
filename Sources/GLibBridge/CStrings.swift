// SPDX-License-Identifier: GPL-3.0-or-later

private import Glibc

/// Calls `body` with copies of texts for C, and NULL after the last.
public func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    var copies = texts.map { strdup($0) } + [nil]
    defer { copies.forEach { free($0) } }
    return copies.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
}
