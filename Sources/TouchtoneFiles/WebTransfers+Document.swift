// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

// A document that the user asks for, in memory.
extension WebTransfers {
    /// Returns the host of an address; nil if it is not one that can be asked.
    public func host(of address: String) -> String? { WebAddress(address)?.host }

    /// Fetches a document of at most that many bytes, within a time; returns it with the host that had it.
    ///
    /// The host of the address may be anywhere, because the user has named it; a redirection to another host may not lead to
    /// this computer or its network.
    public func document(
        at address: String, limit: Int, time: Duration, clock: any Scheduler
    ) async throws(FileTransferError) -> (bytes: [UInt8], host: String) {
        let task = Task { [self] () -> Result<(bytes: [UInt8], host: String), FileTransferError> in
            do throws(FileTransferError) {
                return .success(try await document(at: address, limit: limit))
            } catch {
                return .failure(error)
            }
        }
        var isLate = false
        // A server that sends a byte now and then would never be done.
        let timer = clock.schedule(after: time) {
            isLate = true
            task.cancel()
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timer.cancel()
        if isLate, case .failure(.cancelled) = result { throw .unreachable }
        return try result.get()
    }

    private func document(
        at address: String, limit: Int
    ) async throws(FileTransferError) -> (bytes: [UInt8], host: String) {
        try await transfer("document", ProgressSteps { _, _ in }) { request throws(FileTransferError) in
            let hosts = Set([WebAddress(address)?.host].compactMap { $0 })
            let route = WebRoute(request: request, trustedHosts: hosts)
            let content = DocumentContent()
            try route.follow(try route.first(address)) { next throws(FileTransferError) in
                content.host = next.host
                try request.get(next.text, isTrusted: route.isTrusted(next), limit: Int64(limit)) { bytes in
                    content.bytes += bytes
                }
            }
            return (content.bytes, content.host)
        }
    }
}

/// The part of a document that has come, on the thread of its request.
private final class DocumentContent {
    var bytes: [UInt8] = []
    var host = ""
}
