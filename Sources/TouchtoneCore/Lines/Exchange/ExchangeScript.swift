// SPDX-License-Identifier: GPL-3.0-or-later

/// What the practice exchange does with a call, step by step.
enum ExchangeScript {
    /// One thing to do.
    enum Action: Hashable {
        /// Something happens to the call.
        case tell(CallEvent)
        /// The far end lets hear who it is.
        case play(Cadence)
        /// From now on the microphone is heard.
        case echo
        /// The far end tells the time.
        case tellTime
    }

    /// A thing to do, and how long after the one before.
    struct Step: Hashable {
        let delay: Duration
        let action: Action
    }

    /// How long the exchange takes to get through.
    static let connecting = Duration.milliseconds(600)

    /// How long a call of the exchange's own rings.
    static let ringTimeout = Duration.seconds(45)

    /// The steps from the number on.
    ///
    /// - Parameter ringback: how ringing sounds, so that nobody answers in the middle of it.
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

    /// The steps of an answered call that the microphone is heard in: three notes, and then the echo.
    static let echo = [
        Step(delay: .milliseconds(400), action: .play(ExchangeSounds.greeting)),
        Step(delay: ExchangeSounds.greetingLength, action: .echo),
    ]
}

extension Cadence {
    /// How long it takes from the beginning to the end of that ring, counted from 1; 4 s for each where it has no end.
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
