// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import Synchronization
internal import TouchtoneCore

/// The requests of one transfer, which block a thread of their own; any thread may cancel them.
final class WebRequest: @unchecked Sendable {  // Other threads only call `cancel`.
    struct Options: Sendable {
        let userAgent: String
        /// A file with the certificates of the trusted authorities; nil for those of the system.
        let authorities: String?
        /// The greatest time without any data, in seconds.
        let seconds: UInt32
    }

    private let functions: WebLibrary.Functions
    private let handle: OpaquePointer
    private let observer: Observer

    /// The callbacks of the library, with an address for C to hold.
    private final class Observer: Sendable {
        let mayConnect = Atomic<Bool>(false)
        let progress: @Sendable (Int64, Int64) -> Void

        init(_ progress: @escaping @Sendable (Int64, Int64) -> Void) { self.progress = progress }
    }

    /// `progress` is called on the thread of the requests with the bytes so far, and with the size or -1.
    init(
        _ functions: WebLibrary.Functions, _ options: Options,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) throws(FileTransferError) {
        let observer = Observer(progress)
        let handle = functions.new(
            options.userAgent, options.authorities, options.seconds,
            { bytes, count, data in
                guard let bytes, let data else { return 0 }
                let observer = Unmanaged<Observer>.fromOpaque(data).takeUnretainedValue()
                if observer.mayConnect.load(ordering: .relaxed) { return 1 }
                return AddressRule.isPublic(Array(UnsafeBufferPointer(start: bytes, count: count))) ? 1 : 0
            },
            { count, size, data in
                guard let data else { return }
                Unmanaged<Observer>.fromOpaque(data).takeUnretainedValue().progress(count, size)
            }, Unmanaged.passUnretained(observer).toOpaque())
        guard let handle else { throw .unreachable }
        (self.functions, self.handle, self.observer) = (functions, handle, observer)
    }

    deinit { functions.free(handle) }

    /// Cancels the current request, and all later ones.
    func cancel() { functions.cancel(handle) }

    var status: Int { Int(functions.status(handle)) }
    /// The number of bytes of the file in the last response.
    var count: Int64 { functions.count(handle) }
    /// The size that the last response stated; nil if it stated none.
    var size: Int64? {
        let size = functions.size(handle)
        return size < 0 ? nil : size
    }
    var location: String? { functions.location(handle).map { String(cString: $0) } }
    var mediaType: String? { functions.mediaType(handle).map { String(cString: $0) } }

    /// Sends a file, and waits for the response.
    func put(_ url: String, mediaType: String, headers: [String: String], file: Int32, size: Int64)
        throws(FileTransferError)
    {
        let parts: [String] = headers.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let texts = parts.map { strdup($0) }
        defer { texts.forEach { free($0) } }
        let list = texts.map { UnsafePointer($0) } + [nil]
        try check(functions.put(handle, url, mediaType, list, file, size))
    }

    /// Requests a file, and passes it to `write` if the status is 200; a trusted host may have any address.
    ///
    /// - Parameter write: An error that it throws ends the request.
    func get(
        _ url: String, isTrusted: Bool, limit: Int64,
        write: @escaping ([UInt8]) throws(FileTransferError) -> Void
    ) throws(FileTransferError) {
        observer.mayConnect.store(isTrusted, ordering: .relaxed)
        let receiver = Receiver(write)
        let result = withExtendedLifetime(receiver) {
            functions.get(
                handle, url,
                { bytes, count, context in
                    guard let bytes, let context else { return 0 }
                    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
                    return receiver.take(Array(UnsafeBufferPointer(start: bytes, count: count))) ? 1 : 0
                }, Unmanaged.passUnretained(receiver).toOpaque(), limit)
        }
        if let error = receiver.error { throw error }
        try check(result, limit: limit)
    }

    /// The receiver of a file, with an address for C to hold.
    private final class Receiver {
        private let write: ([UInt8]) throws(FileTransferError) -> Void
        private(set) var error: FileTransferError?

        init(_ write: @escaping ([UInt8]) throws(FileTransferError) -> Void) { self.write = write }

        func take(_ bytes: [UInt8]) -> Bool {
            do throws(FileTransferError) {
                try write(bytes)
                return true
            } catch {
                self.error = error
                return false
            }
        }
    }

    /// Requests the headers of a file; a trusted host may have any address.
    func head(_ url: String, isTrusted: Bool) throws(FileTransferError) {
        observer.mayConnect.store(isTrusted, ordering: .relaxed)
        try check(functions.head(handle, url))
    }

    /// Throws the error that a result of the library stands for, as in CWeb.h.
    private func check(_ result: Int32, limit: Int64 = 0) throws(FileTransferError) {
        switch result {
        case 0: return
        case 1: throw .cancelled
        case 2: throw .invalidAddress
        case 3: throw .privateAddress
        case 4: throw .untrustedCertificate
        case 6: throw .invalidResponse
        case 7: throw .tooLarge(limit: limit)
        case 8: throw .incomplete
        case 9: throw .unwritable
        default: throw .unreachable
        }
    }
}
