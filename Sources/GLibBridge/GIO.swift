// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// Asynchronous functions of GIO, as functions to await.
@MainActor
public enum GIO {
    /// Starts an operation, and returns the result of its `…_finish` function once the main loop has it.
    ///
    ///     let info = try await GIO.call {
    ///         g_file_query_info_async(file.opaque, "*", G_FILE_QUERY_INFO_NONE, 0, nil, $0, $1)
    ///     } finish: {
    ///         g_file_query_info_finish(file.opaque, $0, $1)
    ///     }
    ///
    /// GIO answers every operation. One that is given a `Cancellable` ends early when that is cancelled.
    ///
    /// - Throws: the error that `finish` reports; for a cancelled operation `G_IO_ERROR_CANCELLED`.
    public static func call<Value>(
        _ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void,
        finish: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) async throws(GLibError) -> Value {
        let result = await withCheckedContinuation { continuation in
            start(
                { _, result, data in
                    nonisolated(unsafe) let result = result  // It stays on this, the main, thread.
                    Box<@MainActor (OpaquePointer?) -> Void>.callOnce(data) { $0(result) }
                },
                Box<@MainActor (OpaquePointer?) -> Void> { result in
                    // GIO always has a result.
                    guard let result else { return }
                    continuation.resume(returning: GObjectRef(retaining: UnsafeMutableRawPointer(result)))
                }.retained)
        }
        return try GLibError.check { finish(result.opaque, $0) }
    }
}

/// A switch that ends operations of GIO early.
@MainActor
public final class Cancellable {
    private let reference = GObjectRef(taking: g_cancellable_new())

    /// Creates one that is not cancelled.
    public init() {}

    /// The object, for C functions.
    public var pointer: UnsafeMutablePointer<GCancellable> { reference.cast() }

    /// Ends all operations that were given it, in a later turn of the main loop, and all that will be.
    public func cancel() { g_cancellable_cancel(pointer) }
}
