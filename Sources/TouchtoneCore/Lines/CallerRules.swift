// SPDX-License-Identifier: GPL-3.0-or-later

/// The treatment of a caller whom the user may not want, from the mildest to the strictest.
///
/// The raw values are those of the settings.
public enum CallerTreatment: String, Hashable, Comparable, CaseIterable, Sendable {
    case ring
    /// The answering machine takes the call; without one, the call rings.
    case machine
    /// The call is declined as busy.
    case decline

    /// Returns the treatment of unknown callers by the settings `unknown-callers` and `sip-strangers`.
    ///
    /// The older setting can only decline, and does so whatever the newer one says, as it did before there was another.
    public static func ofUnknown(_ text: String, older: String) -> CallerTreatment {
        max(CallerTreatment(rawValue: text) ?? .ring, CallerTreatment(rawValue: older) ?? .ring)
    }

    public static func < (left: CallerTreatment, right: CallerTreatment) -> Bool {
        left.strictness < right.strictness
    }

    private var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The rules for callers without a number, and for those whom the user does not know.
@MainActor
public final class CallerRules {
    /// The treatment of callers who show neither a number nor an address.
    public var hidden = CallerTreatment.ring
    /// The treatment of callers who are in neither the contacts nor the history; those who hide are unknown, too.
    public var unknown = CallerTreatment.ring
    /// A function that returns whether the user knows a caller.
    public var knows: @MainActor (RemoteParty) async -> Bool = { _ in true }
    /// A function that returns whether the emergency services may call back, from a number that nobody knows.
    var expectsCallBack: @MainActor () -> Bool = { false }
    /// The numbers that always ring.
    var emergency = EmergencyNumbers()

    public init() {}

    /// Returns what a caller meets by what the call shows, without a look at the contacts and the history.
    func treatmentIfKnown(_ caller: RemoteParty) -> CallerTreatment {
        caller.isHidden && !expectsCallBack() ? hidden : .ring
    }

    /// Returns what a caller meets; nil if that depends on whether the user knows the caller.
    public func treatmentAtOnce(of caller: RemoteParty) -> CallerTreatment? {
        if emergency.contains(caller.number) || expectsCallBack() { return .ring }
        return unknown == .ring ? treatmentIfKnown(caller) : nil
    }

    /// Returns what a caller meets, which takes up to 3 seconds while contacts are being read.
    public func treatment(of caller: RemoteParty) async -> CallerTreatment {
        if let treatment = treatmentAtOnce(of: caller) { return treatment }
        return await knows(caller) ? treatmentIfKnown(caller) : max(unknown, treatmentIfKnown(caller))
    }
}
