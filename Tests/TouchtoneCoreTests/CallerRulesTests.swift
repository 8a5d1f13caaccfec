// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of what callers meet who hide, or whom the user does not know.
@MainActor
struct CallerRulesTests {
    private let rules = CallerRules()
    private let grace = RemoteParty(DialledNumber(), address: "sip:grace@example.org")
    private let eve = RemoteParty(DialledNumber("5550104") ?? DialledNumber())
    private let hidden = RemoteParty(DialledNumber(), displayName: "Anonymous")

    init() { rules.knows = { $0.address == "sip:grace@example.org" } }

    @Test(arguments: CallerTreatment.allCases)
    func knownCallersRing(unknown: CallerTreatment) async {
        rules.unknown = unknown
        #expect(await rules.treatment(of: grace) == .ring)
        #expect(await rules.treatment(of: eve) == unknown)
    }

    /// A caller who hides is also unknown, as when the only setting was that for unknown callers.
    @Test(arguments: CallerTreatment.allCases, CallerTreatment.allCases)
    func hiddenCallersMeetTheStricterRule(hiding: CallerTreatment, unknown: CallerTreatment) async {
        (rules.hidden, rules.unknown) = (hiding, unknown)
        #expect(await rules.treatment(of: hidden) == max(hiding, unknown))
        #expect(await rules.treatment(of: grace) == .ring)
    }

    @Test func nobodyIsLookedUpWithoutNeed() async {
        rules.knows = { _ in
            Issue.record("the contacts are searched")
            return false
        }
        #expect(rules.treatmentAtOnce(of: eve) == .ring)
        rules.hidden = .decline
        #expect(rules.treatmentAtOnce(of: hidden) == .decline && rules.treatmentAtOnce(of: eve) == .ring)
        // Nothing delays a call back of the emergency services.
        let keeper = CallManager(sounds: FakeTones(), clock: ManualScheduler())
        keeper.callers.unknown = .decline
        keeper.callers.knows = rules.knows
        keeper.emergency = EmergencyNumbers { $0 == "110" }
        for number in ["110", "112"] {
            let caller = RemoteParty(DialledNumber(number) ?? DialledNumber())
            #expect(keeper.callers.treatmentAtOnce(of: caller) == .ring)
        }
        #expect(keeper.callers.treatmentAtOnce(of: eve) == nil)
    }

    @Test(arguments: [
        ("ring", "ring", CallerTreatment.ring), ("ring", "decline", .decline), ("machine", "ring", .machine),
        ("machine", "decline", .decline), ("decline", "ring", .decline), ("later", "never", .ring),
    ])
    func olderSettingKeepsItsMeaning(text: String, older: String, treatment: CallerTreatment) {
        #expect(CallerTreatment.ofUnknown(text, older: older) == treatment)
    }
}
