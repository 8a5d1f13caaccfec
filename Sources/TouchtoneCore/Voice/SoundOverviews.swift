// SPDX-License-Identifier: GPL-3.0-or-later

/// The overviews of the sound files that were seen last; each file is measured once, one at a time.
@MainActor
public final class SoundOverviews {
    /// The number of files that are remembered.
    static let capacity = 128

    private let device: any VoiceDevice
    /// The results; nil for a file that cannot be read.
    private var known: [String: SoundOverview?] = [:]
    /// The paths of `known`, oldest first.
    private var order: [String] = []
    private var waiting: [String] = []
    /// The file that is being measured.
    private var current: String?
    private let observers = Observers<String>()

    public init(device: any VoiceDevice) { self.device = device }

    /// Calls `body` with the path of a file that was measured, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (String) -> Void) {
        observers.add(owner, body)
    }

    /// Returns the overview of a file; nil if it cannot be read, or is measured first.
    ///
    /// - Parameter path: The absolute path of a file that does not change.
    public func overview(of path: String) -> SoundOverview? {
        if let result = known[path] { return result }
        guard path != current, !waiting.contains(path) else { return nil }
        // The newest are in sight; the oldest were scrolled past.
        waiting.append(path)
        if waiting.count > Self.capacity { waiting.removeFirst() }
        measure()
        return nil
    }

    private func measure() {
        guard current == nil, let path = waiting.popLast() else { return }
        current = path
        Task {
            let overview = try? await device.overview(of: path)
            current = nil
            remember(overview, of: path)
            observers.notify(path)
            measure()
        }
    }

    private func remember(_ overview: SoundOverview?, of path: String) {
        if known.updateValue(overview, forKey: path) == nil { order.append(path) }
        if order.count > Self.capacity { known[order.removeFirst()] = nil }
    }
}
