// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

@MainActor
public enum GIO {
    /// Starts an operation, and returns the result of its `…_finish` function once it completes on the main loop.
    ///
    ///     let info = try await GIO.call {
    ///         g_file_query_info_async(file.opaque, "*", G_FILE_QUERY_INFO_NONE, 0, nil, $0, $1)
    ///     } finish: {
    ///         g_file_query_info_finish(file.opaque, $0, $1)
    ///     }
    ///
    /// GIO completes every operation. One with a `Cancellable` ends early when that is cancelled.
    ///
    /// - Throws: The error that `finish` reports; for a cancelled operation `G_IO_ERROR_CANCELLED`.
    public static func call<Value>(
        _ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void,
        finish: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) async throws(GLibError) -> Value {
        let result = await withCheckedContinuation { continuation in
            start(
                { _, result, data in
                    nonisolated(unsafe) let result = result  // It stays on the main thread.
                    Box<@MainActor (OpaquePointer?) -> Void>.callOnce(data) { $0(result) }
                },
                Box<@MainActor (OpaquePointer?) -> Void> { result in
                    // GIO always passes a result.
                    guard let result else { return }
                    continuation.resume(returning: GObjectRef(retaining: UnsafeMutableRawPointer(result)))
                }.retained)
        }
        return try GLibError.check { finish(result.opaque, $0) }
    }
}

/// A token that cancels GIO operations.
@MainActor
public final class Cancellable {
    private let reference = GObjectRef(taking: g_cancellable_new())

    public init() {}

    public var pointer: UnsafeMutablePointer<GCancellable> { reference.cast() }

    /// Cancels all operations with this token, in a later iteration of the main loop, and all that start afterwards.
    public func cancel() { g_cancellable_cancel(pointer) }
}
