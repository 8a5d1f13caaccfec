// SPDX-License-Identifier: GPL-3.0-or-later

/// The desktop's notifications (org.freedesktop.Notifications, specification 1.2), each under a key of the program's own.
///
/// GNotification knows no answer that is typed; the servers that have one (`inline-reply`, KDE's extension) are asked
/// for it. The bus is asked in the background, and where there is no server nothing is shown.
@MainActor
public final class DesktopNotifications {
    /// A notification.
    public struct Note: Hashable, Sendable {
        /// What it is known by here; a second one of the same key takes the place of the first.
        public let key: String
        /// The line that stands out.
        public let title: String
        /// The text below, which is shown as it is: no markup.
        public let body: String
        /// Whether an answer can be typed.
        public let takesReply: Bool
        /// What it is about, of the specification's list.
        public let category: String
        /// What can be done besides opening it: each by its id and its label.
        public let actions: [Action]
        /// Whether it is about what goes on now: it stays in sight until it is taken back, and is not kept after that.
        public let isOngoing: Bool

        /// Something that can be done in it.
        public struct Action: Hashable, Sendable {
            /// What it is known by here.
            public let id: String
            /// What its button says.
            public let label: String

            /// Creates one.
            public init(id: String, label: String) { (self.id, self.label) = (id, label) }
        }

        /// Creates one.
        public init(
            key: String, title: String, body: String, takesReply: Bool = false,
            category: String = "im.received", actions: [Action] = [], isOngoing: Bool = false
        ) {
            self.key = key
            self.title = title
            self.body = body
            self.takesReply = takesReply
            self.category = category
            self.actions = actions
            self.isOngoing = isOngoing
        }
    }

    /// Called when a notification is clicked, with its key and, where the desktop gives one, a token by which a window
    /// may come to the front.
    public var onOpen: (@MainActor (String, String?) -> Void)?
    /// Called when one of its actions was chosen, with the key, the action's id and a token as that of `onOpen`.
    public var onAction: (@MainActor (String, String, String?) -> Void)?
    /// Called when an answer was typed, with the key and the text.
    public var onReply: (@MainActor (String, String) -> Void)?
    /// Called with the key of a notification that has gone, other than by `withdraw`: its user has dismissed it, or its
    /// time was over.
    public var onDismiss: (@MainActor (String) -> Void)?

    /// A notification that is shown, or is on its way to the server.
    private struct Shown {
        var number: UInt32?
        var isAsked = false
        /// What to show in its place, once the server has given it a number.
        var next: Note?
        var isWithdrawn = false
    }

    private let application: String
    private let desktopEntry: String
    private var bus: DBusConnection?
    private var signals: [DBusSubscription] = []
    private var isConnecting = false
    private var abilities: Set<String>?
    private var shown: [String: Shown] = [:]
    private var waiting: [Note] = []
    private var token: (number: UInt32, text: String)?

    /// Creates it; the bus is not asked before there is something to show.
    ///
    /// - Parameters:
    ///   - name: the program's name, as people know it.
    ///   - desktopEntry: that of its desktop entry, without `.desktop`.
    public init(name: String, desktopEntry: String) {
        application = name
        self.desktopEntry = desktopEntry
    }

    private static let service = "org.freedesktop.Notifications"
    private static let server = DBusObject(service, path: "/org/freedesktop/Notifications")
}

// MARK: - Showing

extension DesktopNotifications {
    /// Shows a notification, in place of the one of the same key.
    public func show(_ note: Note) {
        guard let bus, let abilities else {
            waiting.removeAll { $0.key == note.key }
            waiting.append(note)
            return connect()
        }
        var state = shown[note.key] ?? Shown()
        state.isWithdrawn = false
        if state.isAsked {
            // A burst of messages becomes as many notifications as the server keeps up with.
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

    /// Takes a notification back.
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

    /// Takes all of them back.
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

    /// Asks what the server can do; one that is started later is asked anew.
    private func ask(_ bus: DBusConnection) {
        bus.call(Self.server, "GetCapabilities") { [weak self] answer in
            guard let self else { return }
            let notes = waiting
            waiting = []
            // Without a server there is nobody to show them; the next one is a new try.
            guard let answer = try? answer.get() else { return }
            abilities = Set(answer[0]?.strings ?? [])
            for note in notes { show(note) }
        }
    }

    private func arguments(_ note: Note, replacing number: UInt32, _ abilities: Set<String>) -> [Variant] {
        var actions: [String] = []
        if abilities.contains("actions") {
            actions += ["default", "Open"] + note.actions.flatMap { [$0.id, $0.label] }
        }
        let replies = note.takesReply && abilities.contains("inline-reply")
        if replies { actions += ["inline-reply", "Reply"] }
        var hints: [(key: String, value: Variant)] = [
            ("desktop-entry", .string(desktopEntry)), ("category", .string(note.category)),
            // The phone has a sound of its own for it.
            ("suppress-sound", .bool(true)),
        ]
        if note.isOngoing {
            hints += [
                // Critical: such a notification does not go away by itself.
                ("urgency", .byte(2)), ("resident", .bool(true)), ("transient", .bool(true)),
            ]
        }
        if replies { hints.append(("x-kde-reply-submit-button-text", .string("Send"))) }
        let body = Self.plain(note.body)
        return [
            .string(application), .uint32(number), .string(""), .string(Self.plain(note.title)),
            .string(abilities.contains("body-markup") ? Markup.escaped(body) : body),
            .strings(actions), .dictionary(hints),
            // For ever, or as long as the server thinks right.
            .int32(note.isOngoing ? 0 : -1),
        ]
    }

    /// The beginning of a text, without what steers a terminal; D-Bus takes no zero in a text.
    private static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            if scalar == "\n" || scalar.properties.generalCategory != .control { result.append(scalar) }
        }
        return String(result) + (text.unicodeScalars.dropFirst(longest).isEmpty ? "" : "…")
    }

    /// The most characters of a text that are handed to the server.
    private static let longest = 500
}

// MARK: - What comes back

extension DesktopNotifications {
    private func listen(_ bus: DBusConnection) {
        signals.append(
            bus.watchOwner(of: Self.service) { [weak self] in
                // The numbers were the old server's.
                self?.shown = [:]
                self?.abilities = nil
            })
        // Anybody on the bus can send a signal; a malformed one is ignored.
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

    /// Which of ours a number is; the server tells all programs of all notifications.
    private func key(of number: UInt32) -> String? { shown.first { $0.value.number == number }?.key }
}
