// SPDX-License-Identifier: GPL-3.0-or-later

/// The phone: its number, its keys and its display, independent of the window that shows them.
///
/// The window calls it for the user's actions and draws its state when `observe` notifies it. Each change is complete
/// when the method returns, except for the events of calls, which arrive at any time.
@MainActor
public final class Phone {
    /// The parts of the phone that changed since observers were last notified.
    public struct Change: OptionSet, Sendable {
        /// `displayText` or `displaysWords` changed.
        public static let display = Change(rawValue: 1)
        /// `status` changed.
        public static let status = Change(rawValue: 2)
        /// `keysDown` changed.
        public static let keys = Change(rawValue: 4)
        /// `calls` changed.
        public static let calls = Change(rawValue: 8)
        /// `memoryQuestion` or `isMemoryHeld` changed.
        public static let memory = Change(rawValue: 32)
        /// `caption` changed.
        public static let caption = Change(rawValue: 64)

        /// The changes as bits.
        public let rawValue: Int

        /// Creates a set of changes from its bits.
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

    /// Whether the number on the display was dialled and not edited since, so that the first key of another number
    /// replaces it.
    var isDialled = false

    /// The SIP address on the display in place of a number, as a link has filled it in; any key that enters a number
    /// replaces it.
    public private(set) var address: SIPURI? { didSet { if address != oldValue { showNumber() } } }

    /// The text in the large line of the display: the number or address, or the name of the far end during a call.
    public private(set) var displayText = "" { didSet { record(.display, if: displayText != oldValue) } }

    /// Whether `displayText` is words, such as a name, and not a number.
    public private(set) var displaysWords = false {
        didSet { record(.display, if: displaysWords != oldValue) }
    }

    /// The text in the last row of the display: the number that belongs to a name, or the name that belongs to a number,
    /// or what to do next; empty for none.
    public private(set) var caption = "" { didSet { record(.caption, if: caption != oldValue) } }

    /// Whether the number was entered as a whole and not typed, so that the caption names its owner.
    var isFilledIn = false

    /// The status at the right of the display's first row.
    public internal(set) var status = PhoneStatus.ready { didSet { record(.status, if: status != oldValue) } }

    /// The routes of sound that have no device.
    public private(set) var silentRoutes: Set<AudioRoute> = [] {
        didSet { record(.status, if: silentRoutes != oldValue) }
    }

    /// The number of missed calls that the user has not seen, shown while the phone is ready.
    public var missedCalls = 0 { didSet { if missedCalls != oldValue { sayMissedCalls() } } }

    /// The keys on the screen that are down, by any source.
    public private(set) var keysDown: Set<KeypadKey> = [] {
        didSet { record(.keys, if: keysDown != oldValue) }
    }

    /// The number dialled last, whether or not the line accepted it.
    public internal(set) var lastDialled: DialledNumber?

    /// A function that returns the number that an earlier run dialled last; nil if none is stored.
    ///
    /// It is called when the number is wanted and this run has dialled none, so that the start does not wait for it.
    public var findLastDialled: (@MainActor () async -> DialledNumber?)?

    /// The SIP address dialled last, if it was dialled after `lastDialled`.
    var lastAddress: SIPURI?

    /// A function that returns the line that calls addresses; nil if there is none.
    public var lineForAddresses: (@MainActor () -> (any Line)?)?

    /// A function that returns the line that reaches emergency services now; nil if there is none.
    ///
    /// Without the function, it is `line`, if that reaches them.
    public var findLineForHelp: (@MainActor () -> (any Line)?)?

    /// A function that returns whether the user is to choose a line before Dial uses one: there are several, and none
    /// is an account.
    public var mustChooseLine: (@MainActor () -> Bool)?

    /// The calls of the phone.
    public let calls: CallManager

    /// The line that Dial uses; a change does not affect present calls.
    public var line: any Line { didSet { lineStateChanged() } }

    /// A function that returns a contact's name; nil if the far end is not a contact.
    ///
    /// Call `namesChanged` when its results change.
    public var nameOf: ((RemoteParty) -> String?)? { didSet { namesChanged() } }

    /// The format of the displayed number.
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

    /// The state of the MEM key.
    var memory = MemoryDialling() { didSet { record(.memory, if: memory != oldValue) } }

    private let tones: any ToneOutput & SoundOutput
    private let clock: any Scheduler
    private let observers = Observers<Change>()
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

    /// Creates a phone with an empty display.
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

    /// Calls `body` once at the end of each change of the phone, as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }
}

// MARK: - Keys

extension Phone {
    /// Presses a key.
    public func press(_ key: KeypadKey, by source: KeySource) {
        perform(keys.press(key, by: source, at: clock.now))
    }

    /// Releases the key that a source holds; sliding off a key releases it too.
    public func release(by source: KeySource) { perform(keys.release(by: source, at: clock.now)) }

    /// Releases all keys, because the window lost the focus or was hidden.
    public func releaseAll() { perform(keys.releaseAll(at: clock.now)) }

    /// Sets whether a press can be expected: the keys are on the screen, and their window is active.
    ///
    /// The sound device is kept ready for presses. When none can come, held keys are released.
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

    /// The present time of the phone's clock.
    var now: Duration { clock.now }

    private func perform(_ effects: [KeyPressTracker.Effect]) {
        for effect in effects where !takesForMemory(effect) { perform(effect) }
        keysDown = keys.keysDown
        publish()
    }

    private func perform(_ effect: KeyPressTracker.Effect) {
        switch effect {
        case .enter(let key): if keypad == .call { calls.press(key) } else { enter(key.character) }
        // A plus begins an international number, so it replaces a dialled number like a digit.
        case .enterPlus: edit { enter("+") }
        case .zeroBecomesPlus: edit { number.replaceLastZeroWithPlus() }
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
    /// Replaces the displayed number with a SIP address, which Dial then calls.
    public func enter(_ address: SIPURI) {
        makeWayForNumber()
        show(address, saying: atRest)
        publish()
    }

    func show(_ address: SIPURI, saying status: PhoneStatus) {
        show(DialledNumber(), saying: status)
        self.address = address
    }

    /// Returns the number or address as displayed, for the clipboard, even if the display shows a name; empty if there is
    /// none.
    public func copy() -> String {
        let shown = farEndShown == nil ? address?.text : nil
        let text = shown ?? formatter.string(for: numberShown)
        status = text.isEmpty ? .noNumber : .copied
        publish()
        return text
    }

    /// Deletes all characters.
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

    /// The text of the status line.
    public var statusText: String {
        status == .ready && missedCalls > 0
            ? localizedPlural("{count} MISSED", "{count} MISSED", min(missedCalls, 999)) : status.text
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

    /// Records that the calls changed.
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
