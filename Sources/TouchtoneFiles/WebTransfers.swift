// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import Synchronization
public import TouchtoneCore

/// Transfers over HTTPS through libsoup, each on a thread of its own.
@MainActor
public final class WebTransfers: FileTransfers {
    private let library: WebLibrary
    private let options: WebRequest.Options

    /// Creates the service without loading libsoup; `timeout` is the longest time without data, in seconds.
    ///
    /// `authorities` is a PEM file with the trusted certificates; nil for those of the system.
    public init(
        library: WebLibrary, userAgent: String, authorities: String? = nil, timeout: UInt32 = 30
    ) {
        self.library = library
        options = WebRequest.Options(userAgent: userAgent, authorities: authorities, seconds: timeout)
    }

    public func open(_ path: String, mediaType: String, removesMetadata: Bool) async throws(FileTransferError)
        -> any OutgoingFile
    {
        let descriptor = try await Self.result("open") { () throws(FileTransferError) in
            try FileDescriptor.reading(path, mediaType: mediaType, removesMetadata: removesMetadata)
        }.get()
        return OutgoingUpload(descriptor, mediaType: mediaType, transfers: self)
    }

    public func download(
        _ download: FileDownload, progress: @escaping @MainActor (_ received: Int64, _ size: Int64?) -> Void
    ) async throws(FileTransferError) -> DownloadedFile {
        let excess = Download.excess(of: download)
        let steps = ProgressSteps { count, size in
            progress(max(0, count - excess), size < 0 ? nil : max(0, size - excess))
        }
        return try await transfer("download", steps) { request throws(FileTransferError) in
            try Download(download, request).run()
        }
    }

    public func create(in folder: String, name: String) async throws(FileTransferError) -> any IncomingFile {
        ReceivedFile(
            try await Self.result("create") { () throws(FileTransferError) in
                try PartialFile(in: folder, name: name)
            }.get())
    }

    public func size(of download: FileDownload) async throws(FileTransferError) -> Int64? {
        try await transfer("size", ProgressSteps { _, _ in }) { request throws(FileTransferError) in
            try Download(download, request).size()
        }
    }

    /// Runs the requests of one transfer on a thread of its own, until the task is cancelled.
    func transfer<Value: Sendable>(
        _ name: String, _ steps: ProgressSteps,
        _ body: @escaping @Sendable (WebRequest) throws(FileTransferError) -> Value
    ) async throws(FileTransferError) -> Value {
        let (library, options) = (library, options)
        let request = try await Self.result(name) { () throws(FileTransferError) in
            let functions: WebLibrary.Functions
            do throws(SharedLibrary.Failure) {
                functions = try library.functions()
            } catch {
                DebugLog.write("files: \(error.reason)")
                throw .unreachable
            }
            return try WebRequest(functions, options) { steps.add($0, $1) }
        }.get()
        let result = await withTaskCancellationHandler {
            await Self.result(name) { () throws(FileTransferError) in try body(request) }
        } onCancel: {
            request.cancel()
        }
        return try result.get()
    }

    private static func result<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws(FileTransferError) -> Value
    ) async -> Result<Value, FileTransferError> {
        await withCheckedContinuation { continuation in
            let isStarted = BackgroundThread.start(name) {
                continuation.resume(returning: Result { () throws(FileTransferError) in try body() })
            }
            if !isStarted { continuation.resume(returning: .failure(.unreachable)) }
        }
    }
}

/// The progress of a transfer, passed to the main actor in at most a few hundred steps.
final class ProgressSteps: Sendable {
    private let reported = Mutex<Int64>(0)
    private let report: @MainActor (Int64, Int64) -> Void

    init(_ report: @escaping @MainActor (Int64, Int64) -> Void) { self.report = report }

    /// Adds a state of the transfer, from any thread.
    func add(_ count: Int64, _ size: Int64) {
        let isDue = reported.withLock { reported in
            let step = max(1 << 16, size / 200)
            guard count - reported >= step || count == size else { return false }
            reported = count
            return true
        }
        guard isDue else { return }
        let report = report
        Task { @MainActor in report(count, size) }
    }
}
