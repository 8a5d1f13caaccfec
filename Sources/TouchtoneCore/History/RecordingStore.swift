// SPDX-License-Identifier: GPL-3.0-or-later

/// A store of the recordings of calls; no method blocks the main thread.
///
/// A recording belongs to the row of its call, and is deleted, restored and overwritten with it.
@MainActor
public protocol RecordingStore: AnyObject {
    /// Notes a recording that begins, in a file with that name, of a call that goes on.
    func begin(
        _ file: String, _ kind: Recording.Kind, of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Notes the end of a recording.
    func end(
        _ file: String, _ outcome: RecordingOutcome,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Measures the recordings that an earlier run of the program has not ended, and removes those without sound.
    func endInterrupted(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Returns the recordings of calls in the history, newest first.
    func recordings() async throws(StoreError) -> [Recording]

    func markHeard(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Deletes a recording until it is restored, forgotten or the app quits.
    func deleteRecording(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    func restoreRecording(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Removes a deleted recording for good, with its file.
    func forgetRecording(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void)

    /// Removes heard recordings, the oldest first, until all together have at most so many bytes; returns how many bytes
    /// are left.
    func trimRecordings(to bytes: Int64) async throws(StoreError) -> Int64

    /// Returns the size of the recordings that are neither heard nor deleted, in bytes: no room is made of these.
    func unheardBytes() async throws(StoreError) -> Int64
}

/// The folder of the recordings, which only the user can enter.
@MainActor
public protocol RecordingFolder: AnyObject {
    /// Creates an empty file, which only the user can read.
    func create(_ name: String) throws(RecordingFailure) -> OpenFile

    /// Removes a file that has no row in the store.
    func remove(_ name: String)

    func path(of name: String) -> String

    /// Replaces a file, which only the user can read.
    func write(_ bytes: [UInt8], to name: String) async throws(RecordingFailure)
}

/// Why nothing can be recorded.
public enum RecordingFailure: Error, Hashable, Sendable {
    /// The disk is nearly full.
    case diskFull
    /// Recordings that nobody has heard fill their space.
    case tooManyUnheard
    /// The greeting cannot be read.
    case noGreeting
    /// Another failure, in the system's words.
    case failed(String)

    /// A sentence for the user.
    public var sentence: String {
        switch self {
        case .diskFull: localized("The disk is nearly full, so nothing is recorded.")
        case .tooManyUnheard: localized("There is no room for more messages until you have heard some.")
        case .noGreeting: localized("The greeting can’t be read.")
        case .failed(let reason):
            reason.isEmpty
                ? localized("Nothing can be recorded.")
                : localized("Nothing can be recorded: {reason}", ["reason": reason])
        }
    }
}
