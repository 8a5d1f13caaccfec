// SPDX-License-Identifier: GPL-3.0-or-later

/// The phone on the desk: its number, its keys and its display, whatever window shows them.
///
/// The window tells it what people do and draws what it holds; `follow` says when to draw. Everything happens
/// within the call that asks for it, except what a line tells of a call, which comes when it comes.
@MainActor
public final class Phone {
    /// What has changed since the window last drew.
    public struct Change: OptionSet, Sendable {
        /// `displayText` is another.
        public static let display = Change(rawValue: 1)
        /// `status` is another.
        public static let status = Change(rawValue: 2)
        /// `keysDown` is another.
        public static let keys = Change(rawValue: 4)
        /// `calls` tell something else.
        public static let calls = Change(rawValue: 8)
        /// `memoryQuestion` or `isMemoryHeld` is another.
        public static let memory = Change(rawValue: 32)

        /// The changes as bits.
        public let rawValue: Int

        /// Creates a set of changes from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The number in the display; it stays there after it has been dialled, and is edited as ever.
    public private(set) var number = DialledNumber() { didSet { if number != oldValue { showNumber() } } }

    /// The number as it is shown, or in a call the name of who is at the far end.
    public private(set) var displayText = "" { didSet { record(.display, if: displayText != oldValue) } }

    /// What the status line says.
    public internal(set) var status = PhoneStatus.ready { didSet { record(.status, if: status != oldValue) } }

    /// How many missed calls nobody has looked at, which is said while there is nothing else to say.
    public var missedCalls = 0 { didSet { if missedCalls != oldValue { sayMissedCalls() } } }

    /// The keys on the screen that are down, whoever holds them.
    public private(set) var keysDown: Set<KeypadKey> = [] {
        didSet { record(.keys, if: keysDown != oldValue) }
    }

    /// The number dialled last, whether or not the line took it.
    public internal(set) var lastDialled: DialledNumber?

    /// Looks up the number that an earlier run dialled last; nil where nothing keeps it.
    ///
    /// It is asked when that number is wanted and this run has dialled none yet, so that the start does not wait for it.
    public var findLastDialled: (@MainActor () async -> DialledNumber?)?

    /// The calls that go on.
    public let calls: CallManager

    /// Where Dial sends a number; a call that goes on is left to the line it went to.
    public var line: any Line {
        didSet {
            changes.insert(.status)
            publish()
        }
    }

    /// The name of a contact; nil where the far end is none.
    ///
    /// `namesChanged` says that it may be otherwise.
    public var nameOf: ((RemoteParty) -> String?)? { didSet { namesChanged() } }

    /// How the number is shown.
    public var format: NumberFormat {
        get { formatter.format }
        set {
            formatter.format = newValue
            showNumber()
            publish()
        }
    }

    /// Whether every key clicks as it goes down.
    public var keysClick = false

    /// What the memory keys hold; nil is a phone without such.
    public var memoryKeys: (any MemoryKeyStore)?

    /// What the MEM key asks for.
    var memory = MemoryDialling() { didSet { record(.memory, if: memory != oldValue) } }

    private let tones: any ToneOutput & SoundOutput
    private let clock: any Scheduler
    private let observers = Observers<Change>()
    /// Whether `findLastDialled` has not answered yet.
    var isFindingLastDialled = false
    /// Whether there was a call when the status line was last set by one.
    var wasInCall = false
    /// Whether a second number was asked for then.
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
    /// Calls `body` at the end of whatever changed the phone, once for all of it, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }
}

// MARK: - Keys

extension Phone {
    /// A key goes down.
    public func press(_ key: KeypadKey, by source: KeySource) {
        perform(keys.press(key, by: source, at: clock.now))
    }

    /// A source lets go of the key it holds, or slides off it.
    public func release(by source: KeySource) { perform(keys.release(by: source, at: clock.now)) }

    /// All sources let go: the window lost the focus, or is hidden.
    public func releaseAll() { perform(keys.releaseAll(at: clock.now)) }

    /// Says whether a press can be expected: the keys are on the screen, and their window is the one that people use.
    ///
    /// The sound device is kept ready for the press; when none can come, what is held is let go.
    public func setReady(_ ready: Bool) {
        isReady = ready
        tones.setReady(ready)
        if !ready { releaseAll() }
    }

    /// The pointer comes to a key, or to the window: the device, which was given back after a while, is got again.
    public func expectPress() {
        if isReady { tones.setReady(true) }
    }

    /// A key on the screen is hidden or destroyed.
    public func keyGone(_ key: KeypadKey) { perform(keys.keyGone(key)) }

    private func advance() { perform(keys.advance(to: clock.now)) }

    /// The keys held get no second meaning: they were pressed for something else.
    func keepHeldKeysShort() { keys.cancelLongPresses() }

    /// The time, for what waits.
    var now: Duration { clock.now }

    private func perform(_ effects: [KeyPressTracker.Effect]) {
        for effect in effects where !takesForMemory(effect) { perform(effect) }
        keysDown = keys.keysDown
        publish()
    }

    private func perform(_ effect: KeyPressTracker.Effect) {
        switch effect {
        case .enter(let key): if keypad == .call { calls.press(key) } else { enter(key.character) }
        case .enterPlus: edit { enter("+") }
        case .zeroBecomesPlus: edit { number.replaceLastZeroWithPlus() }
        case .deleteLast:
            edit {
                number.deleteLast()
                status = atRest
            }
        case .clear: edit { number.clear() }
        case .dial: pressDial()
        case .sound(let key): tones.start(key)
        case .silence: tones.stop()
        // The set of keys down is taken over whole.
        case .keyDown: if keysClick { click() }
        case .keyUp: break
        }
    }

    func click() { tones.play(.keyClick, on: .tones) }

    private func enter(_ character: Character) {
        makeWayForNumber()
        status = number.isFull ? .full : atRest
        number.append(character)
    }
}

// MARK: - The number

extension Phone {
    /// Puts the number in a text in place of the one displayed; the text may hold anything, and nil holds nothing.
    ///
    /// Without a number in it, or with one that is too long, the display keeps the number it has.
    public func paste(_ text: String?) {
        switch DialledNumber.read(text ?? "") {
        case .number(let number): fillIn(number)
        case .noDigits: refuse(.noNumber)
        case .tooLong: refuse(.tooLong)
        }
        publish()
    }

    /// Puts the number of a `tel:` link in place of the one displayed, and waits: a link never dials by itself.
    public func open(link: String) {
        do throws(TelURIError) {
            fillIn(try TelURI(link).number)
        } catch {
            refuse(PhoneStatus(error))
        }
        publish()
    }

    /// The number as displayed, for the clipboard, also where the display has a name; empty when there is none to copy.
    public func copy() -> String {
        let text = formatter.string(for: numberShown)
        status = text.isEmpty ? .noNumber : .copied
        publish()
        return text
    }

    /// Takes all characters away.
    public func clear() {
        show(DialledNumber(), saying: atRest)
        publish()
    }

    /// Puts in a number from elsewhere, as if it had been typed: the tone of a call that was not put through ends.
    private func fillIn(_ number: DialledNumber) {
        makeWayForNumber()
        show(number, saying: atRest)
    }

    func show(_ number: DialledNumber, saying status: PhoneStatus) {
        // A 0 or DEL still held was pressed for the number before.
        keys.cancelLongPresses()
        memory.leave()
        self.number = number
        self.status = status
    }

    func showNumber() { displayText = nameShown ?? formatter.string(for: numberShown) }
}

// MARK: - What is said of it

extension Phone {
    /// Tells of the tones in the status line, until the next key.
    public func soundNotice(_ notice: ToneNotice) {
        status = PhoneStatus(notice)
        publish()
    }

    /// Says and sounds that something cannot be done.
    func refuse(_ reason: PhoneStatus) {
        status = reason
        tones.play(.errorTone, on: .tones)
    }

    /// What the status line says, as displayed.
    public var statusText: String {
        status == .ready && missedCalls > 0
            ? localizedPlural("{count} MISSED", "{count} MISSED", min(missedCalls, 999)) : status.text
    }

    private func sayMissedCalls() {
        record(.status, if: status == .ready)
        publish()
    }

    /// Says that there is no passcode to lock the phone with.
    public func passcodeMissing() {
        status = .noPasscode
        publish()
    }

    private func record(_ change: Change, if hasChanged: Bool) {
        if hasChanged { changes.insert(change) }
    }

    /// Takes note that the calls tell something else.
    func recordCalls() { record(.calls, if: true) }

    /// Sets the timer that the keys held ask for, and tells the window of what has changed.
    func publish() {
        longPress.set(for: keys.nextDeadline)
        memoryTimer.set(for: memory.nextDeadline)
        guard !changes.isEmpty else { return }
        let news = changes
        changes = []
        observers.notify(news)
    }
}
