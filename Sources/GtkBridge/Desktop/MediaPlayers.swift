// SPDX-License-Identifier: GPL-3.0-or-later

/// The media players of the session (MPRIS 2.2), which are paused and resumed together.
///
/// Each player is asked on its own, so that one that does not answer delays neither the others nor the program.
@MainActor
public final class MediaPlayers {
    private var isPaused = false
    /// The players that were paused here, and not resumed since.
    private var paused: Set<String> = []
    /// The number of calls that wait for an answer.
    private var waiting = 0

    private static let prefix = "org.mpris.MediaPlayer2."
    /// A service that repeats the commands of the other players.
    private static let proxy = prefix + "playerctld"
    private static let most = 16

    public init() {}

    /// Whether no player has an answer or a command outstanding.
    public var isSettled: Bool { waiting == 0 }

    /// Pauses all players that play, or resumes those that were paused here and are still paused.
    public func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        guard isPaused || !paused.isEmpty || waiting > 0 else { return }
        run { [weak self] bus in
            guard let self, self.isPaused == isPaused else { return }
            if isPaused {
                let names = try? await bus.call(.bus, "ListNames")[0]?.strings
                let players = (names ?? []).filter { $0.hasPrefix(Self.prefix) && $0 != Self.proxy }
                for player in players.prefix(Self.most) { pause(player) }
            } else {
                for player in paused { resume(player) }
            }
        }
    }

    private func pause(_ player: String) {
        run { [weak self] bus in
            guard await Self.status(of: player, bus) == "Playing", self?.isPaused == true else { return }
            guard (try? await bus.call(Self.player(player), "Pause", startsService: false)) != nil else {
                return
            }
            self?.paused.insert(player)
            // The call may have ended before the answer.
            if self?.isPaused == false { self?.resume(player) }
        }
    }

    private func resume(_ player: String) {
        run { [weak self] bus in
            let status = await Self.status(of: player, bus)
            guard let self, !isPaused, paused.remove(player) != nil, status == "Paused" else { return }
            _ = try? await bus.call(Self.player(player), "Play", startsService: false)
        }
    }

    private func run(_ body: @escaping @MainActor (DBusConnection) async -> Void) {
        waiting += 1
        Task { [weak self] in
            if let bus = try? await DBusConnection.connect(to: .session) { await body(bus) }
            self?.waiting -= 1
        }
    }

    private static func status(of player: String, _ bus: DBusConnection) async -> String? {
        let object = DBusObject(player, path: path, interface: "org.freedesktop.DBus.Properties")
        let arguments: [Variant] = [.string(interface), .string("PlaybackStatus")]
        return try? await bus.call(object, "Get", arguments, startsService: false)[0]?.content?.string
    }

    private static func player(_ name: String) -> DBusObject {
        DBusObject(name, path: path, interface: interface)
    }

    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
}
