// SPDX-License-Identifier: GPL-3.0-or-later

/// A call through the practice exchange, with the behaviour of its far end.
@MainActor
final class PracticeCall: LineCall {
    static let echoDelay = Duration.milliseconds(500)

    let remote: RemoteParty
    let features: CallFeatures
    var onEvent: ((CallEvent) -> Void)?

    /// The message of the far end for the answering machine; nil for nothing.
    var message: Cadence?
    private var machine: PracticeMessage?
    private var isAloud = false

    private let dependencies: PracticeExchange.Dependencies
    private let over: @MainActor (_ wasAnswered: Bool) -> Void
    private var steps: ArraySlice<ExchangeScript.Step> = []
    private var timer: (any ScheduledTimer)?
    private var sound: PlayedSound?
    /// The cadence that the far end plays, and since when.
    private var playing: (cadence: Cadence, since: Duration)?
    private var echo: (any Echo)?
    /// The recording with REC, and whether tones tell both sides of it.
    private(set) var recording: (sound: any ExchangeRecording, hasTones: Bool)?
    private var isMuted = false
    private var isWatched = false
    private var isHeld = false
    private var isAnswered = false
    private var hasEnded = false
    /// The function that resumes the far end's media after a hold.
    private var resumeMedia: (() -> Void)?

    /// Creates a call that has not begun; `over` is called once, when either end has ended it.
    init(
        _ number: DialledNumber, _ dependencies: PracticeExchange.Dependencies,
        over: @escaping @MainActor (_ wasAnswered: Bool) -> Void = { _ in }
    ) {
        remote = RemoteParty(number)
        let common: CallFeatures = [.conversation, .hold, .join, .transfer, .microphoneLevel]
        features = dependencies.machine == nil ? common : common.union([.machine, .recording])
        self.dependencies = dependencies
        self.over = over
        dependencies.conversation.add(self)
    }

    func run(_ steps: [ExchangeScript.Step]) {
        self.steps = steps[...]
        schedule()
    }

    /// Rings, until the call is answered or times out.
    func ring() {
        timer = dependencies.clock.schedule(after: ExchangeScript.ringTimeout) { [weak self] in
            self?.end(.noAnswer)
        }
    }

    func answer() {
        guard !isAnswered, !hasEnded else { return }
        change { isAnswered = true }
        timer?.cancel()
        run(ExchangeScript.echo)
    }

    func hangUp() {
        endMessage(.ended)
        finish()
    }

    func hold() {
        change {
            isHeld = true
            stopMedia()
        }
    }

    func resume() {
        guard isHeld, !hasEnded else { return }
        change { isHeld = false }
        if let resumeMedia { resumeMedia() } else { schedule() }
    }

    // Each far end has its own echo, and the two need not hear each other's.
    func join(_ other: any LineCall) { resume() }

    func transfer(to other: any LineCall) {
        guard isAnswered, let other = other as? PracticeCall, other.isAnswered else {
            onEvent?(.transferRefused)
            return
        }
        other.end(.transferred)
        end(.transferred)
    }

    func transfer(to remote: RemoteParty) {
        switch ExchangeDestination(remote.number) {
        case _ where !isAnswered, .busy, .reorder, .noSuchNumber: onEvent?(.transferRefused)
        case .echo, .operatorDesk, .time, .noAnswer, .callsBack: end(.transferred)
        }
    }

    func setMuted(_ isMuted: Bool) {
        self.isMuted = isMuted
        echo?.setMuted(isMuted)
    }

    func watchMicrophone(_ isWatched: Bool) {
        self.isWatched = isWatched
        watchEcho()
    }

    func send(_ key: DTMFKey) {
        if key == .pound, isAnswered { end(.farEnd) }
    }

    private func schedule() {
        guard !hasEnded, !isHeld, let next = steps.first else { return }
        timer = dependencies.clock.schedule(after: next.delay) { [weak self] in
            guard let self else { return }
            steps.removeFirst()
            perform(next.action)
            schedule()
        }
    }

    private func perform(_ action: ExchangeScript.Action) {
        switch action {
        case .tell(.ended(let end)): self.end(end)
        case .tell(let event):
            if event == .answered { change { isAnswered = true } }
            onEvent?(event)
        case .play(let cadence): play(cadence)
        case .echo: beginEcho()
        case .tellTime: tellTime()
        }
    }

    private func end(_ end: CallEndReason) {
        endMessage(.ended)
        let notify = onEvent
        finish()
        notify?(.ended(end))
    }

    private func finish() {
        guard !hasEnded else { return }
        endRecording(.ended)
        change {
            hasEnded = true
            steps = []
            stopMedia()
        }
        dependencies.conversation.remove(self)
        over(isAnswered)
    }

    private func stopMedia() {
        timer?.cancel()
        timer = nil
        if let sound { dependencies.sounds.stop(sound) }
        sound = nil
        playing = nil
        echo?.stop()
        echo = nil
    }

    private func play(_ cadence: Cadence) {
        change {
            if let sound { dependencies.sounds.stop(sound) }
            sound = dependencies.sounds.play(.cadence(cadence), on: .tones)
            playing = (cadence, dependencies.clock.now)
        }
    }

    /// Changes what is heard of the call, or its recording.
    private func change(_ body: () -> Void) { dependencies.conversation.change(body) }
}

// MARK: - Media

extension PracticeCall {
    private func beginEcho() {
        resumeMedia = { [weak self] in self?.beginEcho() }
        let echo = dependencies.echo.beginEcho(after: Self.echoDelay) { [weak self] in
            Task { @MainActor in self?.onEvent?(.noMicrophone) }
        }
        echo.setMuted(isMuted)
        change { self.echo = echo }
        if isWatched { watchEcho() }
    }

    private func watchEcho() {
        guard isWatched else {
            echo?.watch(nil)
            return
        }
        echo?.watch { [weak self] level in
            Task { @MainActor in
                guard let self, self.isWatched else { return }
                self.onEvent?(.microphoneLevel(level))
            }
        }
    }

    /// Plays the digits of the time, and then its beeps.
    private func tellTime() {
        resumeMedia = { [weak self] in self?.waitForBeep() }
        let time = dependencies.time()
        let digits = ExchangeSounds.time(time)
        play(digits)
        waitForBeep(after: digits.end(ofRing: 1))
    }

    /// Beeps at the next multiple of ten seconds after the present sound has ended.
    private func waitForBeep(after sounding: Duration = .zero) {
        var delay = dependencies.time().untilTenSeconds
        if delay <= sounding { delay += .seconds(10) }
        timer = dependencies.clock.schedule(after: delay) { [weak self] in
            guard let self else { return }
            play(ExchangeSounds.beep)
            waitForBeep(after: .milliseconds(500))
        }
    }
}

// MARK: - Recording

extension PracticeCall {
    /// Whether the call is in the conversation with the user.
    var isHeard: Bool { isAnswered && !isHeld && !hasEnded && machine == nil }

    func record(to file: OpenFile, withTone: Bool) {
        guard recording == nil, let exchange = dependencies.machine else { return }
        change { recording = (exchange.record(to: file), withTone) }
    }

    func stopRecording() { endRecording(.stopped) }

    /// Ends the recording with REC, if there is one, and reports it once it is written.
    func endRecording(_ end: RecordingEnd) {
        guard let recording else { return }
        change { self.recording = nil }
        Task {
            let result = await recording.sound.finish()
            onEvent?(
                .recorded(seconds: result.seconds ?? 0, result.end ?? end, isSilent: result.isSilent))
        }
    }

    /// Lets the echo, if there is one, keep what it hears for `takeSounds`.
    func keepEcho(_ isKept: Bool) { echo?.setKept(isKept) }

    /// Returns what is heard of the far end, and what it hears, in a part.
    ///
    /// - Parameters:
    ///   - time: The beginning of the part.
    ///   - count: Its length in samples.
    func takeSounds(at time: Duration, count: Int) -> [ExchangeSound] {
        var sounds: [ExchangeSound] = []
        if let playing, time < playing.since + playing.cadence.end(ofRing: 1) {
            sounds.append(.cadence(playing.cadence, from: max(.zero, time - playing.since)))
        }
        if let echo { sounds.append(.echo(echo.take(count))) }
        return sounds
    }
}

// MARK: - Answering Machine

extension PracticeCall {
    func answer(with answer: MachineAnswer) {
        guard !isAnswered, !hasEnded, let exchange = dependencies.machine else { return }
        isAnswered = true
        timer?.cancel()
        isAloud = answer.isAloud
        machine = PracticeMessage(exchange.begin(answer), saying: message)
        onEvent?(.answered)
        waitForMachine()
    }

    func takeOver() {
        guard machine != nil else { return }
        endMessage(.stopped)
        run(ExchangeScript.echo)
    }

    func setAloud(_ isAloud: Bool) {
        self.isAloud = isAloud
        if machine != nil, !isAloud { stopMessageSound() }
    }

    private func waitForMachine() {
        timer = dependencies.clock.schedule(after: PracticeMessage.step) { [weak self] in
            guard let self, let machine else { return }
            switch machine.advance() {
            case .waits: break
            case .begins: onEvent?(.machineRecords)
            case .ends: return end(.farEnd)
            case .stops(let end):
                endMessage(end)
                return self.end(.hungUp)
            }
            if machine.beginsToSpeak, isAloud, let message {
                sound = dependencies.sounds.play(.cadence(message), on: .ringer)
            }
            waitForMachine()
        }
    }

    /// Ends the recording, and reports it.
    private func endMessage(_ end: RecordingEnd) {
        guard let machine else { return }
        self.machine = nil
        timer?.cancel()
        stopMessageSound()
        onEvent?(machine.finish(end))
    }

    private func stopMessageSound() {
        if let sound { dependencies.sounds.stop(sound) }
        sound = nil
    }
}
