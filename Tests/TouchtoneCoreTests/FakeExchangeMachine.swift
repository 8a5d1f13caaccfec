// SPDX-License-Identifier: GPL-3.0-or-later

@testable import TouchtoneCore

/// The machine of the exchange, whose steps the test decides.
@MainActor
final class FakeExchangeMachine: ExchangeMachine {
    private(set) var message: Message?
    private(set) var recordings: [Recording] = []

    func begin(_ answer: MachineAnswer) -> any ExchangeMessage {
        let message = Message()
        self.message = message
        return message
    }

    func record(to file: OpenFile) -> any ExchangeRecording {
        let recording = Recording()
        recordings.append(recording)
        return recording
    }

    /// A recording in memory.
    @MainActor
    final class Recording: ExchangeRecording {
        var hasFailed = false
        /// The samples so far.
        private(set) var count = 0
        /// The cadences, with the time in the recording at which each began.
        private(set) var cadences: [(cadence: Cadence, began: Duration)] = []
        /// The sums of the echoes' samples, and their number.
        private(set) var echoes = (near: 0, far: 0, count: 0)
        /// The times in the recording at which tones began.
        private(set) var tones: [Duration] = []
        private(set) var isFinished = false

        private static func time(_ count: Int) -> Duration { .seconds(1) * count / ExchangeSound.rate }

        private static func isSame(_ one: Duration, _ other: Duration) -> Bool {
            abs((one - other) / .milliseconds(1)) < 2
        }

        func add(_ count: Int, of sounds: [ExchangeSound], tone: Duration?) {
            let now = Self.time(self.count)
            for sound in sounds {
                switch sound {
                case .cadence(let cadence, let place):
                    let began = now - place
                    if !cadences.contains(where: { $0.cadence == cadence && Self.isSame($0.began, began) }) {
                        cadences.append((cadence, began))
                    }
                case .echo(let echo):
                    echoes.near += echo.near.reduce(0) { $0 + Int($1) }
                    echoes.far += echo.far.reduce(0) { $0 + Int($1) }
                    echoes.count += echo.near.count
                }
            }
            if let tone, !tones.contains(where: { Self.isSame($0, now - tone) }) { tones.append(now - tone) }
            self.count += count
        }

        func finish() async -> RecordingResult {
            isFinished = true
            return RecordingResult(
                seconds: Self.time(count) / .seconds(1), end: hasFailed ? .failed : nil, isSilent: false)
        }
    }

    @MainActor
    final class Message: ExchangeMessage {
        var isRecording = false
        var end: RecordingEnd?

        func advance(by time: Duration, saying sound: Cadence?, from place: Duration) {}

        func finish() -> Double { 4 }
    }
}
