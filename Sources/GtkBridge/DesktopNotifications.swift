// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's notifications (org.freedesktop.Notifications, specification 1.2), each under a key that the caller
/// chooses.
///
/// GNotification has no text replies, so this uses the bus, and `inline-reply` (KDE's extension) on servers that have
/// it. The bus is used in the background; without a server nothing is shown.
@MainActor
public final class DesktopNotifications {
    public struct Note: Hashable, Sendable {
        /// The key of the notification, which replaces an earlier one with the same key.
        public let key: String
        public let title: String
        /// The plain text below the title, without markup.
        public let body: String
        public let takesReply: Bool
        /// The category, from the list in the specification.
        public let category: String
        /// The actions besides opening the notification.
        public let actions: [Action]
        /// Whether it is about a current event: it stays until it is withdrawn, and is not stored then.
        public let isOngoing: Bool
        /// Whether the user need not look at it soon.
        public let isMinor: Bool
        /// The picture of the person that it is about; nil for none.
        public let picture: NotePicture?

        public struct Action: Hashable, Sendable {
            public let id, label: String

            public init(id: String, label: String) { (self.id, self.label) = (id, label) }
        }

        public init(
            key: String, title: String, body: String, takesReply: Bool = false,
            category: String = "im.received", actions: [Action] = [], isOngoing: Bool = false,
            isMinor: Bool = false, picture: NotePicture? = nil
        ) {
            self.key = key
            // Strangers have written both.
            self.title = DirectionControls.contained(title)
            self.body = DirectionControls.contained(body)
            (self.takesReply, self.category, self.actions) = (takesReply, category, actions)
            (self.isOngoing, self.isMinor, self.picture) = (isOngoing, isMinor, picture)
        }
    }

    /// The labels of the buttons that do not depend on the notification.
    public struct Labels: Hashable, Sendable {
        /// The label of the action for a click, which some servers show as a button.
        public let open: String
        public let reply, send: String

        public init(open: String, reply: String, send: String) {
            (self.open, self.reply, self.send) = (open, reply, send)
        }
    }

    /// Called for a click, with the key and, if there is one, a token that lets a window come to the front.
    public var onOpen: (@MainActor (String, String?) -> Void)?
    /// Called for a chosen action, with the key, the action's id and the token.
    public var onAction: (@MainActor (String, String, String?) -> Void)?
    /// Called for a reply, with the key and the text.
    public var onReply: (@MainActor (String, String) -> Void)?
    /// Called for a notification that was dismissed or expired, not withdrawn, with its key.
    public var onDismiss: (@MainActor (String) -> Void)?

    /// A notification that is visible or being sent to the server.
    private struct Shown {
        var number: UInt32?
        var isAsked = false
        /// The notification to send next, once the server has returned the id of the current one.
        var next: Note?
        var isWithdrawn = false
    }

    private let application, desktopEntry: String
    private let labels: Labels
    private var bus: DBusConnection?
    private var signals: [DBusSubscription] = []
    private var isConnecting = false
    private var abilities: Set<String>?
    private var shown: [String: Shown] = [:]
    private var waiting: [Note] = []
    private var token: (number: UInt32, text: String)?

    /// Connects to the bus when there is something to show; `desktopEntry` is without `.desktop`.
    public init(name: String, desktopEntry: String, labels: Labels) {
        application = name
        (self.desktopEntry, self.labels) = (desktopEntry, labels)
    }

    private static let service = "org.freedesktop.Notifications"
    private static let server = DBusObject(service, path: "/org/freedesktop/Notifications")

    // MARK: - Showing

    public func show(_ note: Note) {
        guard let bus, let abilities else {
            waiting.removeAll { $0.key == note.key }
            waiting.append(note)
            return connect()
        }
        var state = shown[note.key] ?? Shown()
        state.isWithdrawn = false
        if state.isAsked {
            // Only the newest notification waits, so that a burst of messages does not overload the server.
            state.next = note
            shown[note.key] = state
            return
        }
        state.isAsked = true
        shown[note.key] = state
        bus.call(Self.server, "Notify", arguments(note, replacing: state.number ?? 0, abilities)) {
            [weak self] answer in
            self?.answered(note.key, try? answer.get()[0]?.uint32)
        }
    }

    public func withdraw(_ key: String) {
        waiting.removeAll { $0.key == key }
        guard let state = shown[key] else { return }
        if state.isAsked {
            shown[key]?.isWithdrawn = true
            shown[key]?.next = nil
        } else {
            shown[key] = nil
            state.number.map(close)
        }
    }

    public func withdrawAll() {
        waiting = []
        for key in Array(shown.keys) { withdraw(key) }
    }

    private func close(_ number: UInt32) {
        bus?.call(Self.server, "CloseNotification", [.uint32(number)]) { _ in }
    }

    private func answered(_ key: String, _ number: UInt32?) {
        guard var state = shown[key] else { return }
        state.isAsked = false
        state.number = number
        let next = state.next
        state.next = nil
        shown[key] = state
        if state.isWithdrawn || number == nil {
            shown[key] = nil
            if state.isWithdrawn { number.map(close) }
        } else if let next {
            show(next)
        }
    }

    private func connect() {
        if let bus { return ask(bus) }
        guard !isConnecting else { return }
        isConnecting = true
        Task { [weak self] in
            guard let bus = try? await DBusConnection.connect(to: .session) else { return }
            self?.bus = bus
            self?.listen(bus)
            self?.ask(bus)
        }
    }

    /// Asks for the server's capabilities, again for each new server.
    private func ask(_ bus: DBusConnection) {
        bus.call(Self.server, "GetCapabilities") { [weak self] answer in
            guard let self else { return }
            let notes = waiting
            waiting = []
            // Without a server, the notifications are dropped; the next one tries again.
            guard let answer = try? answer.get() else { return }
            abilities = Set(answer[0]?.strings ?? [])
            for note in notes { show(note) }
        }
    }

    private func arguments(_ note: Note, replacing number: UInt32, _ abilities: Set<String>) -> [Variant] {
        var actions: [String] = []
        if abilities.contains("actions") {
            actions += ["default", labels.open] + note.actions.flatMap { [$0.id, $0.label] }
        }
        let replies = note.takesReply && abilities.contains("inline-reply")
        if replies { actions += ["inline-reply", labels.reply] }
        var hints: [(key: String, value: Variant)] = [
            ("desktop-entry", .string(desktopEntry)), ("category", .string(note.category)),
            // The phone plays its own sound.
            ("suppress-sound", .bool(true)),
        ]
        if note.isOngoing {
            hints += [
                // A critical notification does not expire.
                ("urgency", .byte(2)), ("resident", .bool(true)), ("transient", .bool(true)),
            ]
        }
        if note.isMinor { hints.append(("urgency", .byte(0))) }
        if let picture = note.picture { hints.append(("image-data", picture.hint)) }
        if replies { hints.append(("x-kde-reply-submit-button-text", .string(labels.send))) }
        let body = Self.plain(note.body)
        return [
            .string(application), .uint32(number), .string(icon(for: note.category)),
            .string(Self.plain(note.title)),
            .string(abilities.contains("body-markup") ? Markup.escaped(body) : body),
            .strings(actions), .dictionary(hints),
            // 0 means that it never expires, -1 is the server's default.
            .int32(note.isOngoing ? 0 : -1),
        ]
    }

    /// Returns the name of the icon for a category, which is installed beside the app's icon.
    private func icon(for category: String) -> String {
        switch category {
        case "call.incoming": "\(desktopEntry)-call-symbolic"
        case "call.unanswered": "\(desktopEntry)-missed-call-symbolic"
        case "im.received": "\(desktopEntry)-message-symbolic"
        default: desktopEntry
        }
    }

    /// Returns the beginning of a text without control characters; D-Bus does not accept a NUL.
    private static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            if scalar == "\n" || scalar.properties.generalCategory != .control { result.append(scalar) }
        }
        return String(result) + (text.unicodeScalars.dropFirst(longest).isEmpty ? "" : "…")
    }

    /// The maximum length of a text that is sent to the server, in Unicode scalars.
    private static let longest = 500

    // MARK: - Signals

    private func listen(_ bus: DBusConnection) {
        signals.append(
            bus.watchOwner(of: Self.service) { [weak self] in
                // The ids belong to the previous server.
                self?.shown = [:]
                self?.abilities = nil
            })
        // Any program on the bus can send a signal; a malformed one is ignored.
        func listen(_ signal: String, type: String, _ heard: @escaping @MainActor (UInt32, Variant) -> Void) {
            signals.append(
                bus.listen(to: signal, of: Self.server) { values in
                    guard values.type == type, let number = values[0]?.uint32, let other = values[1] else {
                        return
                    }
                    heard(number, other)
                })
        }
        listen("NotificationClosed", type: "(uu)") { [weak self] number, _ in
            guard let self, let key = key(of: number) else { return }
            shown[key] = nil
            onDismiss?(key)
        }
        listen("ActivationToken", type: "(us)") { [weak self] number, text in
            if let text = text.string { self?.token = (number, text) }
        }
        listen("ActionInvoked", type: "(us)") { [weak self] number, action in
            guard let self, let action = action.string, let key = key(of: number) else { return }
            let token = token?.number == number ? token?.text : nil
            self.token = nil
            if action == "default" { onOpen?(key, token) } else { onAction?(key, action, token) }
        }
        listen("NotificationReplied", type: "(us)") { [weak self] number, text in
            guard let self, let text = text.string, let key = key(of: number) else { return }
            onReply?(key, text)
        }
    }

    /// Returns the key of a notification id; the server also reports the notifications of other programs.
    private func key(of number: UInt32) -> String? { shown.first { $0.value.number == number }?.key }
}
