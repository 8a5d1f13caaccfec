// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// An error that GIO reported: a `GError` as a value.
struct GIOError: Error, Hashable {
    let domain: UInt32
    let code: Int32
    let message: String

    /// Takes the error over: it is freed here.
    init(taking error: UnsafeMutablePointer<GError>) {
        domain = error.pointee.domain
        code = error.pointee.code
        message = String(cString: error.pointee.message)
        g_error_free(error)
    }

    /// An error of our own.
    init(message: String) {
        domain = 0
        code = 0
        self.message = message
    }

    /// Calls a function that reports through a `GError **`, and throws what it reports.
    static func check<Value>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) throws(GIOError) -> Value {
        var error: UnsafeMutablePointer<GError>?
        let value = body(&error)
        if let error { throw GIOError(taking: error) }
        return value
    }
}

/// Waits for GIO's asynchronous functions, in the main loop.
@MainActor
enum GIO {
    /// Starts a call and gives what its `…_finish` function does.
    ///
    /// GIO answers each call, a cancelled one too, so nothing is waited for in vain.
    static func call<Value>(
        _ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void,
        finish:
            @escaping @MainActor (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) async throws(GIOError) -> Value {
        var answer: Result<Value, GIOError>?
        await withCheckedContinuation { continuation in
            let pending = PendingCall { result in
                do throws(GIOError) {
                    answer = .success(try GIOError.check { finish(result, $0) })
                } catch {
                    answer = .failure(error)
                }
                continuation.resume()
            }
            start(
                { _, result, data in
                    guard let result, let data else { return }
                    MainActor.assumeIsolated {
                        Unmanaged<PendingCall>.fromOpaque(data).takeRetainedValue().body(result)
                    }
                }, Unmanaged.passRetained(pending).toOpaque())
        }
        // It is set before the resumption, above.
        guard let answer else { fatalError("resumed without an answer") }
        return try answer.get()
    }

    /// What is done with the answer of a call, with an address for C to hold until then.
    @MainActor
    private final class PendingCall {
        let body: @MainActor (OpaquePointer) -> Void

        init(_ body: @escaping @MainActor (OpaquePointer) -> Void) { self.body = body }
    }
}

/// One reference to a GObject, given back at the end.
@MainActor
final class GReference<Kind> {
    /// The object, as C's functions want it.
    let pointer: UnsafeMutablePointer<Kind>

    /// Takes over a reference that was given; nil for a null pointer.
    init?(taking pointer: UnsafeMutablePointer<Kind>?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    /// The object as an instance of another of its classes.
    func cast<Other>(to type: Other.Type = Other.self) -> UnsafeMutablePointer<Other> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }

    /// The object as an instance of an interface.
    var interface: OpaquePointer { OpaquePointer(pointer) }

    isolated deinit { g_object_unref(pointer) }
}
