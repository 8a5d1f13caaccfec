// SPDX-License-Identifier: GPL-3.0-or-later

/// The phone's number, keys and display, independent of the window that shows them.
///
/// Each change is complete when the method returns, except for the events of calls, which arrive at any time.
@MainActor
public final class Phone {
    /// The parts of the phone that changed since observers were last notified.
    public struct Change: OptionSet, Sendable {
        /// `displayText` or `displaysWords` changed.
        public static let display = Change(rawValue: 1)
        public static let status = Change(rawValue: 2)
        public static let keys = Change(rawValue: 4)
        public static let calls = Change(rawValue: 8)
        /// `memoryQuestion` or `isMemoryHeld` changed.
        public static let memory = Change(rawValue: 32)
        public static let caption = Change(rawValue: 64)

        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The number on the display; it stays after it has been dialled, and can be edited.
    public private(set) var number = DialledNumber() {
        didSet {
            guard number != oldValue else { return }
            isDialled = false
            showNumber()
        }
    }

    /// Whether the number was dialled and not edited since: the first key of another number replaces it.
    var isDialled = false

    /// The address in place of a number, from a link; any key that enters a number replaces it.
    public private(set) var address: CallAddress? { didSet { if address != oldValue { showNumber() } } }

    /// The text in the large line of the display: the number or address, or the name of the far end during a call.
    public private(set) var displayText = "" { didSet { record(.display, if: displayText != oldValue) } }

    /// Whether `displayText` is words, such as a name, and not a number.
    public private(set) var displaysWords = false {
        didSet { record(.display, if: displaysWords != oldValue) }
    }

    /// The last row of the display: the owner of a number, the number of a name, or what to do next.
    public private(set) var caption = "" { didSet { record(.caption, if: caption != oldValue) } }

    /// Whether the number was entered as a whole and not typed, so that the caption names its owner.
    var isFilledIn = false

    public internal(set) var status = PhoneStatus.ready { didSet { record(.status, if: status != oldValue) } }

    /// The routes of sound that have no device.
    public private(set) var silentRoutes: Set<AudioRoute> = [] {
        didSet { record(.status, if: silentRoutes != oldValue) }
    }

    /// The number of missed calls that the user has not seen, shown while the phone is ready.
    public var missedCalls = 0 { didSet { if missedCalls != oldValue { sayMissedCalls() } } }

    /// The number of messages on the answering machine that the user has not heard, shown likewise.
    public var unheardMessages = 0 {
        didSet {
            guard unheardMessages != oldValue else { return }
            // The last caller was missed, but has left a message.
            if unheardMessages > oldValue, case .missed = status { status = atRest }
            sayMissedCalls()
        }
    }

    /// The keys on the screen that are down, by any source.
    public private(set) var keysDown: Set<KeypadKey> = [] {
        didSet { record(.keys, if: keysDown != oldValue) }
    }

    /// The number dialled last, whether or not the line accepted it.
    public internal(set) var lastDialled: DialledNumber?

    /// The number or address that an earlier run dialled last, read only when it is wanted, to start sooner.
    public var findLastDialled: (@MainActor () async -> RemoteParty?)?

    /// The address dialled last, if it was dialled after `lastDialled`.
    var lastAddress: CallAddress?

    /// The line that calls SIP addresses.
    public var lineForAddresses: (@MainActor () -> (any Line)?)?

    /// The lines that call people on Jabber.
    public var jabber: JabberLines?

    /// The line that reaches emergency services now; without the function, it is `line`, if that does.
    public var findLineForHelp: (@MainActor () -> (any Line)?)?

    /// Whether the user is to choose a line first: there are several, and none is an account.
    public var mustChooseLine: (@MainActor () -> Bool)?

    /// Whether a line, by its id, makes no real calls, and no other line does.
    public var isPracticeAlone: (@MainActor (String) -> Bool)?

    public let calls: CallManager

    /// The line that Dial uses; a change does not affect present calls.
    public var line: any Line { didSet { lineStateChanged() } }

    /// The name of a contact; call `namesChanged` when the results change.
    public var nameOf: ((RemoteParty) -> String?)? { didSet { namesChanged() } }

    public var format: NumberFormat {
        get { formatter.format }
        set {
            formatter.format = newValue
            showNumber()
            publish()
        }
    }

    /// Whether every key clicks when it is pressed.
    public var keysClick = false

    /// The store of the memory keys; nil disables them.
    public var memoryKeys: (any MemoryKeyStore)?

    /// The memory keys that watch extensions; nil if none does.
    public var officeKeys: OfficeKeys?

    var memory = MemoryDialling() { didSet { record(.memory, if: memory != oldValue) } }

    private let tones: any ToneOutput & SoundOutput
    private let clock: any Scheduler
    private let observers = Observers<Change>()
    /// Whether the display was empty before the last key.
    private var wasEmpty = false
    /// Whether `findLastDialled` has not returned yet.
    var isFindingLastDialled = false
    /// Whether there was a call at the last update of the status.
    var wasInCall = false
    /// Whether a second number was requested at the last update of the status.
    var wasTakingNumber = false
    private(set) var formatter: NumberFormatter
    private var keys = KeyPressTracker()
    private var isReady = false
    private var changes: Change = []
    private lazy var longPress = DeadlineTimer(clock: clock) { [weak self] in self?.advance() }
    private lazy var memoryTimer = DeadlineTimer(clock: clock) { [weak self] in self?.advanceMemory() }

    public init(
        tones: any ToneOutput & SoundOutput, formatter: NumberFormatter, clock: any Scheduler, line: any Line
    ) {
        self.tones = tones
        self.formatter = formatter
        self.clock = clock
        self.line = line
        calls = CallManager(sounds: tones, clock: clock)
        calls.observe(by: self) { [weak self] in if $0 == .calls { self?.callsChanged() } }
    }
}

extension Phone {
    /// Updates the line's label, after the state of the line changed.
    public func lineStateChanged() {
        changes.insert(.status)
        publish()
    }

    /// Ends the question for a line, which the user has answered or left.
    public func lineChosen() {
        if status == .chooseLine { status = atRest }
        publish()
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }
}

// MARK: - Keys

extension Phone {
    public func press(_ key: KeypadKey, by source: KeySource) {
        perform(keys.press(key, by: source, at: clock.now))
    }

    /// Releases the key that a source holds; sliding off a key releases it too.
    public func release(by source: KeySource) { perform(keys.release(by: source, at: clock.now)) }

    /// Releases all keys, because the window lost the focus or was hidden.
    public func releaseAll() { perform(keys.releaseAll(at: clock.now)) }

    /// Sets whether a press can be expected: the sound device is kept ready, or held keys are released.
    public func setReady(_ ready: Bool) {
        isReady = ready
        tones.setReady(ready)
        if !ready { releaseAll() }
    }

    /// Prepares the sound device, which is released when idle, because the pointer has entered a key or the window.
    public func expectPress() {
        if isReady { tones.setReady(true) }
    }

    /// Releases a key on the screen that was hidden or destroyed.
    public func keyGone(_ key: KeypadKey) { perform(keys.keyGone(key)) }

    private func advance() { perform(keys.advance(to: clock.now)) }

    /// Cancels the second meaning of held keys, because they were pressed for another purpose.
    func keepHeldKeysShort() { keys.cancelLongPresses() }

    var now: Duration { clock.now }

    private func perform(_ effects: [KeyPressTracker.Effect]) {
        for effect in effects where !takesForMemory(effect) { perform(effect) }
        keysDown = keys.keysDown
        publish()
    }

    private func perform(_ effect: KeyPressTracker.Effect) {
        switch effect {
        case .enter(let key):
            wasEmpty = number.isEmpty && address == nil
            if keypad == .call { calls.press(key) } else { enter(key.character) }
        // A plus begins an international number, so it replaces a dialled number like a digit.
        case .enterPlus: edit { enter("+") }
        case .zeroBecomesPlus: edit { number.replaceLastZeroWithPlus() }
        case .oneHeld: if wasEmpty, keypad == .number, number.text == "1" { callVoicemail() }
        case .deleteLast:
            edit {
                number.deleteLast()
                isFilledIn = false
                status = atRest
            }
        case .clear: edit { number.clear() }
        case .dial: pressDial()
        case .sound(let key):
            calls.releaseKey()
            tones.start(key)
        case .silence:
            calls.releaseKey()
            tones.stop()
        // `keysDown` is replaced as a whole.
        case .keyDown: if keysClick { click() }
        case .keyUp: break
        }
    }

    /// Ends the tone of the key that is held, since it is no key of the number any more.
    func silenceKey() { tones.stop() }

    func click() { tones.play(.keyClick, on: .tones) }

    private func enter(_ character: Character) {
        makeWayForNumber()
        forgetAddress()
        isFilledIn = false
        if isDialled { number.clear() }
        let isFull = number.isFull
        number.append(character)
        status = isFull ? .full : atRest
    }
}

// MARK: - Number

extension Phone {
    /// Replaces the displayed number with an address, which Dial then calls.
    public func enter(_ address: CallAddress) {
        makeWayForNumber()
        show(address, saying: atRest)
        publish()
    }

    func show(_ address: CallAddress, saying status: PhoneStatus) {
        show(DialledNumber(), saying: status)
        self.address = address
    }

    /// Returns the number or address for the clipboard, even if a name is shown; empty if there is none.
    public func copy() -> String {
        let shown = farEndShown == nil ? address?.copied : nil
        let text = shown ?? formatter.string(for: numberShown)
        status = text.isEmpty ? .noNumber : .copied
        publish()
        return text
    }

    public func clear() {
        show(DialledNumber(), saying: atRest)
        publish()
    }

    /// Enters a number from elsewhere; as when typing, the tone of a refused call ends.
    func fillIn(_ number: DialledNumber) {
        makeWayForNumber()
        show(number, saying: atRest)
    }

    func show(_ number: DialledNumber, saying status: PhoneStatus) {
        // A 0 or DEL that is still held was pressed for the previous number.
        keys.cancelLongPresses()
        memory.leave()
        address = nil
        isFilledIn = true
        self.number = number
        isDialled = false
        // The caller's status at rest was that of the number before.
        self.status = status == .ready || status == .emergencyNumber ? atRest : status
    }

    func showNumber() {
        let line = largeLine
        (displayText, displaysWords) = (line.text, line.isWords)
    }

    func forgetAddress() { address = nil }
}

// MARK: - Status

extension Phone {
    /// Shows a notice of the sound device or tones in the status line, until the next key.
    public func soundNotice(_ notice: ToneNotice) {
        switch notice {
        case .deviceLost(let route): silentRoutes.insert(route)
        case .deviceFound(let route): silentRoutes.remove(route)
        case .toneSetIncomplete, .tonePlanMissing: break
        }
        status = PhoneStatus(notice)
        publish()
    }

    /// Shows a reason in the status line, with the error tone.
    func refuse(_ reason: PhoneStatus) {
        status = reason
        tones.play(.errorTone, on: .tones)
    }

    public var statusText: String {
        if status == .ready, let news { return news }
        // The line beside it says OFFLINE.
        if status.isReady, case .unavailable = lineShown.state {
            return localizedIn("segment display", "NO LINE")
        }
        return status.text
    }

    /// The text for what the user has missed: messages, calls, and the voicemail; nil for nothing.
    private var news: String? {
        let missed =
            missedCalls > 0
            ? localizedPlural("{count} MISSED", "{count} MISSED", min(missedCalls, 999)) : nil
        let messages =
            unheardMessages > 0
            ? localizedPlural("{count} MESSAGE", "{count} MESSAGES", min(unheardMessages, 999)) : nil
        let parts = [messages, missed, voicemailText, diversionText].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "  ")
    }

    private func sayMissedCalls() {
        record(.status, if: status == .ready)
        publish()
    }

    /// Shows that the phone has no passcode to lock it with.
    public func passcodeMissing() {
        status = .noPasscode
        publish()
    }

    private func record(_ change: Change, if hasChanged: Bool) {
        if hasChanged { changes.insert(change) }
    }

    func recordCalls() { record(.calls, if: true) }

    /// Updates the timers, and notifies observers of changes.
    func publish() {
        longPress.set(for: keys.nextDeadline)
        memoryTimer.set(for: memory.nextDeadline)
        caption = presentCaption
        guard !changes.isEmpty else { return }
        let published = changes
        changes = []
        observers.notify(published)
    }
}
