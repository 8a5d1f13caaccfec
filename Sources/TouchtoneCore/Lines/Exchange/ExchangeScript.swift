// SPDX-License-Identifier: GPL-3.0-or-later

/// The steps of the practice exchange in a call.
enum ExchangeScript {
    enum Action: Hashable {
        case tell(CallEvent)
        /// Plays the far end's sound.
        case play(Cadence)
        case echo
        /// Begins to announce the time.
        case tellTime
    }

    /// An action, and the delay after the step before it.
    struct Step: Hashable {
        let delay: Duration
        let action: Action
    }

    /// The time that the exchange takes to set up a call.
    static let connecting = Duration.milliseconds(600)

    /// The time for which a call from the exchange rings.
    static let ringTimeout = Duration.seconds(45)

    /// Returns the steps from dialling on; with the ringback tone, no call is answered in the middle of a
    /// ring.
    static func steps(of service: ExchangeDestination, ringback: Cadence) -> [Step] {
        func answered(after rings: Int, _ media: [Step]) -> [Step] {
            [Step(delay: connecting, action: .tell(.ringing))]
                + [Step(delay: ringback.end(ofRing: rings), action: .tell(.answered))] + media
        }
        switch service {
        case .echo: return answered(after: 2, echo)
        case .operatorDesk: return answered(after: 1, echo)
        case .time: return answered(after: 1, [Step(delay: .milliseconds(400), action: .tellTime)])
        case .busy: return [Step(delay: connecting, action: .tell(.ended(.busy)))]
        case .reorder: return [Step(delay: connecting, action: .tell(.ended(.network)))]
        case .noSuchNumber: return [Step(delay: connecting, action: .tell(.ended(.noSuchNumber)))]
        case .noAnswer: return [Step(delay: connecting, action: .tell(.ringing))]
        case .callsBack:
            let tone = Step(delay: .milliseconds(400), action: .play(ExchangeSounds.confirmation))
            return answered(after: 1, [tone])
        }
    }

    /// The steps of an answered call with an echo: three notes, and then the echo.
    static let echo = [
        Step(delay: .milliseconds(400), action: .play(ExchangeSounds.greeting)),
        Step(delay: ExchangeSounds.greetingLength, action: .echo),
    ]
}

extension Cadence {
    /// Returns the end of a ring, counted from 1; 4 s for each ring if a segment has no end.
    func end(ofRing ring: Int) -> Duration {
        let lengths = segments.map { $0.milliseconds ?? 0 }
        guard let last = segments.lastIndex(where: { !$0.tones.isEmpty }), lengths.allSatisfy({ $0 > 0 })
        else {
            return .seconds(4 * ring)
        }
        let cycle = lengths.reduce(0, +)
        return .milliseconds(cycle * (ring - 1) + lengths[...last].reduce(0, +))
    }
}
