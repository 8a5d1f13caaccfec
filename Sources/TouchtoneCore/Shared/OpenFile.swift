// SPDX-License-Identifier: GPL-3.0-or-later

/// An open file, which is closed when nobody uses it any more.
///
/// A file goes to the process that has the sound of a call as its descriptor, never as its path.
public final class OpenFile: Sendable {
    public let descriptor: Int32
    private let close: @Sendable (Int32) -> Void

    /// - Parameter close: Closes the descriptor, once, on any thread.
    public init(_ descriptor: Int32, close: @escaping @Sendable (Int32) -> Void) {
        (self.descriptor, self.close) = (descriptor, close)
    }

    deinit { close(descriptor) }
}
