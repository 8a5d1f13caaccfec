// SPDX-License-Identifier: GPL-3.0-or-later

/// An action that the user wants on a call.
enum CallWish: Hashable, Sendable {
    case answer, hangUp, hold, resume, join

    /// Returns whether a call in a state is what the user wants already.
    func isGranted(in state: TelephonyState) -> Bool {
        switch self {
        case .answer: state == .active
        case .hangUp: state == .disconnected
        case .hold: state == .held
        case .resume: state == .active
        case .join: false
        }
    }
}

/// The next operation on a phone, which has few of them, each for all of its calls, from what the user wants of each call.
enum CallPlan {
    struct Entry: Hashable, Sendable {
        let path: String
        let state: TelephonyState
        let wish: CallWish?
    }

    struct Step: Hashable, Sendable {
        let operation: PhoneOperation
        /// The calls whose wishes it grants.
        let calls: [String]
        /// Whether it only prepares what is wanted.
        var isPreparation = false

        init(_ operation: PhoneOperation, _ calls: [Entry], isPreparation: Bool = false) {
            (self.operation, self.calls) = (operation, calls.map(\.path))
            self.isPreparation = isPreparation
        }
    }

    /// Returns the next step; nil if nothing is wanted.
    ///
    /// - Parameter number: The number that is to be dialled; the phone then holds the call that is heard by itself.
    static func next(_ calls: [Entry], dialling number: String?) -> Step? {
        let active = calls.filter { $0.state == .active }
        let answered = calls.first { $0.wish == .answer }
        if let answered, answered.state == .waiting, !active.isEmpty,
            active.allSatisfy({ $0.wish == .hangUp })
        {
            return Step(.releaseAndAnswer, active + [answered])
        }
        if let step = hangUp(calls, active: active) { return step }
        let held = calls.filter { $0.wish == .hold }
        if let number { return Step(.dial(number), held) }
        if let answered {
            if answered.state == .waiting, !active.isEmpty { return Step(.holdAndAnswer, [answered] + held) }
            return Step(.answer(answered.path), [answered])
        }
        let joined = calls.filter { $0.wish == .join }
        if !joined.isEmpty { return Step(.createMultiparty, joined) }
        let switched = calls.filter { $0.wish == .hold || $0.wish == .resume }
        return switched.isEmpty ? nil : Step(.swapCalls, switched)
    }

    /// Returns the step that ends a call.
    ///
    /// A phone cannot end one on hold beside another that is heard, so that they are
    /// swapped first, and the other one comes back by itself.
    private static func hangUp(_ calls: [Entry], active: [Entry]) -> Step? {
        let ended = calls.filter { $0.wish == .hangUp }
        if let call = ended.first(where: { $0.state != .held }) {
            // All calls that are heard end together.
            return Step(
                .hangUp(call.path), call.state == .active ? ended.filter { $0.state == .active } : [call])
        }
        guard !ended.isEmpty else { return nil }
        return active.isEmpty ? Step(.hangUpAll, ended) : Step(.swapCalls, ended, isPreparation: true)
    }
}
