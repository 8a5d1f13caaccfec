// SPDX-License-Identifier: GPL-3.0-or-later

/// The recordings of the calls in the history, as lists, lamps and the deck show them.
@MainActor
public final class Recordings {
    public enum Change: Hashable, Sendable {
        case all
        /// A message has arrived.
        case arrived(Recording)
    }

    /// The greatest number of bytes of all recordings.
    public static let maximumBytes: Int64 = 500_000_000

    /// The recordings, newest first.
    public private(set) var all: [Recording] = []

    /// The number of messages that the user has not heard.
    public var unheard: Int { all.count { !$0.isHeard } }

    /// Whether messages that nobody has heard fill all the space.
    public private(set) var isFull = false

    let store: any RecordingStore
    let folder: any RecordingFolder
    private let history: CallHistory
    private let observers = Observers<Change>()
    /// The number of the last reading; the results of earlier ones are ignored.
    private var reading = 0
    private var isRead = false
    /// The recordings that were reported, also those that were deleted since.
    private var known: Set<Recording.ID> = []

    public init(store: any RecordingStore, folder: any RecordingFolder, history: CallHistory) {
        (self.store, self.folder, self.history) = (store, folder, history)
        history.observe(by: self) { [weak self] in if $0 == .calls { self?.read() } }
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    /// Reads the recordings, also those that the last run was recording when it ended.
    ///
    /// The history must have been started before, so that their calls have rows.
    public func start() {
        store.endInterrupted { [weak self] in
            self?.note($0)
            self?.trim()
        }
    }

    public func recording(_ id: Recording.ID) -> Recording? { all.first { $0.id == id } }

    /// Returns the recordings of a call in the history, the oldest first.
    public func recordings(of entry: HistoryEntry.ID) -> [Recording] {
        all.filter { $0.entry == entry }.reversed()
    }

    public func path(of recording: Recording) -> String { folder.path(of: recording.file) }

    public func markHeard(_ id: Recording.ID) {
        guard let recording = recording(id), !recording.isHeard else { return }
        store.markHeard(id) { [weak self] in self?.changed($0) }
    }

    /// The path of the greeting that the user has recorded.
    public var ownGreeting: String { folder.path(of: "greeting.opus") }

    /// Keeps a greeting that the user has recorded, in place of the last one; returns its path.
    public func saveGreeting(_ sound: [UInt8]) async throws(RecordingFailure) -> String {
        try await folder.write(sound, to: "greeting.opus")
        return ownGreeting
    }

    /// Deletes a recording until it is restored or forgotten, or the app quits.
    public func delete(_ id: Recording.ID) { store.deleteRecording(id) { [weak self] in self?.changed($0) } }

    public func restore(_ id: Recording.ID) {
        store.restoreRecording(id) { [weak self] in self?.changed($0) }
    }

    /// Removes a deleted recording for good.
    public func forget(_ id: Recording.ID) { store.forgetRecording(id) { [weak self] in self?.note($0) } }

    /// Removes heard recordings if there are too many, and reads all again.
    func trim() {
        Task {
            do throws(StoreError) {
                isFull = try await store.trimRecordings(to: Self.maximumBytes) > Self.maximumBytes
            } catch {
                history.note(error)
            }
            read()
        }
    }

    func note(_ result: Result<Void, StoreError>) { history.recordFailure(of: result) }

    private func changed(_ result: Result<Void, StoreError>) {
        note(result)
        read()
    }

    private func read() {
        reading += 1
        let reading = reading
        Task {
            do throws(StoreError) {
                let all = try await store.recordings()
                // The user may have heard or deleted what filled the space; nothing would be recorded any more that trims it.
                if isFull { isFull = try await store.unheardBytes() > Self.maximumBytes }
                if reading == self.reading { show(all) }
            } catch {
                history.note(error)
            }
        }
    }

    private func show(_ all: [Recording]) {
        let arrived = isRead ? all.filter { !known.contains($0.id) && !$0.isHeard } : []
        known.formUnion(all.map(\.id))
        guard all != self.all || !isRead else { return }
        (self.all, isRead) = (all, true)
        observers.notify(.all)
        for recording in arrived.reversed() { observers.notify(.arrived(recording)) }
    }
}
