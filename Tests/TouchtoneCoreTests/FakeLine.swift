// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A line controlled by the test; by default it hands numbers over to another app.
@MainActor
final class FakeLine: Line {
    let id: String
    let label = "FAKE"
    var address = ""
    var state = LineState.available { didSet { if state != oldValue { onEvent?(.stateChanged) } } }
    var rules = DialRules()
    var voicemail = Voicemail.none { didSet { if voicemail != oldValue { onEvent?(.stateChanged) } } }
    var diversion: Diversion? { didSet { if diversion != oldValue { onEvent?(.stateChanged) } } }
    /// The extensions that it can watch.
    var office: (any LineExtensions)? { didSet { onEvent?(.stateChanged) } }
    var extensions: (any LineExtensions)? { office }
    /// How often its incoming calls were diverted before.
    var diversions = 0
    /// The number that is its own.
    var ownNumber = ""
    var reachesHelp = true
    var isMobile = false
    var callsNumbers = true { didSet { if callsNumbers != oldValue { onEvent?(.stateChanged) } } }
    var onEvent: ((LineEvent) -> Void)?
    var features: CallFeatures = []
    /// Whether its incoming calls offer text.
    var offersText = false
    /// Whether its calls refuse hold and resume at once.
    var refusesHold = false
    private(set) var dialled: [String] = []
    private(set) var dialledAddresses: [String] = []
    private(set) var calls: [FakeCall] = []

    init(id: String = "fake") { self.id = id }

    func dial(_ remote: RemoteParty) -> any LineCall {
        dialled.append(remote.number.text)
        if !remote.address.isEmpty { dialledAddresses.append(remote.address) }
        return make(remote)
    }

    func isOwn(_ remote: RemoteParty) -> Bool { !ownNumber.isEmpty && remote.number.text == ownNumber }

    /// Offers an incoming call.
    func offer(_ number: String, address: String = "", displayName: String = "") {
        let number = DialledNumber(number) ?? DialledNumber()
        let call = make(RemoteParty(number, address: address, displayName: displayName))
        onEvent?(.incoming(call))
    }

    /// Shows a call that was begun on the phone that the line is.
    func appear(_ number: String) {
        onEvent?(.appeared(make(RemoteParty(DialledNumber(number) ?? DialledNumber()))))
    }

    /// Ends the newest call.
    func answer(_ end: CallEndReason) { calls.last?.tell(.ended(end)) }

    private func make(_ remote: RemoteParty) -> FakeCall {
        let call = FakeCall(remote, features, refusesHold: refusesHold)
        (call.offersText, call.diversions) = (offersText, diversions)
        calls.append(call)
        return call
    }
}

/// A call that records its commands.
@MainActor
final class FakeCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures
    var onEvent: ((CallEvent) -> Void)?
    private(set) var orders: [String] = []
    private(set) var keys = ""
    /// The keys that were held, each with a `-` for its release.
    private(set) var presses = ""
    var refusesHold: Bool
    var offersText = false
    var diversions = 0
    /// The text that was sent.
    private(set) var text = ""

    init(_ remote: RemoteParty, _ features: CallFeatures, refusesHold: Bool) {
        self.remote = remote
        self.features = features
        self.refusesHold = refusesHold
    }

    /// Whether it is over, for the phone or for its far end.
    private(set) var isOver = false

    func tell(_ event: CallEvent) {
        if case .ended = event { isOver = true }
        onEvent?(event)
    }

    func answer() { orders.append("answer") }
    func hangUp() {
        orders.append("hang up")
        isOver = true
    }
    func declineAsBusy(missed: @escaping @MainActor () -> Void) {
        orders.append("busy")
        isOver = true
        missed()
    }
    func hold() {
        orders.append("hold")
        if refusesHold { tell(.holdRefused) }
    }
    func resume() {
        orders.append("resume")
        if refusesHold { tell(.resumeRefused) }
    }
    func join(_ other: any LineCall) {
        orders.append("join \(other.remote.number.text)")
        if refusesHold { tell(.resumeRefused) }
    }
    func transfer(to other: any LineCall) { orders.append("transfer \(other.remote.number.text)") }
    func transfer(to remote: RemoteParty) { orders.append("to \(remote.number.text)\(remote.address)") }
    func divert(to remote: RemoteParty) {
        orders.append("divert \(remote.number.text)\(remote.address)")
        isOver = true
    }
    func measure() { orders.append("measure") }
    func watchMicrophone(_ isWatched: Bool) { orders.append(isWatched ? "watch" : "unwatch") }
    func setMuted(_ isMuted: Bool) { orders.append(isMuted ? "mute" : "unmute") }
    func send(_ key: DTMFKey) { keys.append(key.character) }
    func press(_ key: DTMFKey) {
        keys.append(key.character)
        presses.append(key.character)
    }
    func releaseKey() { presses.append("-") }
    func startText() { orders.append("text") }
    func sendText(_ part: String) { text += part }
    func answer(with machine: MachineAnswer) {
        orders.append("machine \(Int(machine.limit / .seconds(1)))\(machine.isAloud ? " aloud" : "")")
    }
    func takeOver() { orders.append("take over") }
    func setAloud(_ isAloud: Bool) { orders.append(isAloud ? "aloud" : "silent") }
    func record(to file: OpenFile, withTone: Bool) { orders.append(withTone ? "record with tone" : "record") }
    func stopRecording() { orders.append("stop recording") }
}

/// A recorder without files.
@MainActor
final class FakeRecorder: CallRecorder {
    /// Whether nothing can be recorded.
    var isFull = false
    var limit = Duration.seconds(180)
    private(set) var begun: [Call.ID] = []
    private(set) var ended: [Call.ID: RecordingResult] = [:]

    func beginMessage(of call: Call, at now: Duration, isAloud: Bool) -> MachineAnswer? {
        guard !isFull else { return nil }
        begun.append(call.id)
        return MachineAnswer(
            greeting: OpenFile(-1) { _ in }, recording: OpenFile(-1) { _ in }, limit: limit, isAloud: isAloud)
    }

    func beginRecording(of call: Call, at now: Duration) -> OpenFile? {
        guard !isFull else { return nil }
        begun.append(call.id)
        return OpenFile(-1) { _ in }
    }

    func endRecording(of call: Call.ID, _ result: RecordingResult) { ended[call] = result }
}

extension TonePlan {
    /// A tone plan like North America's, with a distinct sound for each meaning.
    static let test: TonePlan? = try? TonePlan(
        Array(
            """
            country: Test
            source: nowhere
            dial: 350+440 @ -13 continuous
            ringback: 440+480 @ -19 on 2000 off 4000
            busy: 480+620 @ -24 on 500 off 500
            reorder: 480+620 @ -24 on 250 off 250
            special-information: 950 @ -24 on 330, 1400 @ -24 on 330, 1800 @ -24 on 330 off 1000
            call-waiting: 440 @ -13 on 300 off 9700
            off-hook: 1400 @ -9 on 100 off 100
            """.utf8))
}
