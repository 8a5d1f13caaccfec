// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the far end's hold, and of the quality of a call.
@Suite @MainActor struct CallMediaTests {
    private let fixture = CallManagerFixture()
    private let quality = CallQuality(codec: "opus", encryption: "SRTP", loss: 1, jitter: 2, roundTrip: 3)

    @Test func holdOfFarEndIsShownUntilItResumes() {
        fixture.talk("1")
        fixture.line.calls[0].tell(.heldByFarEnd(true))
        #expect(fixture.keeper.current?.isHeldByFarEnd == true)
        #expect(fixture.keeper.current?.state == .connected, "the user can still act on the call")
        fixture.line.calls[0].tell(.heldByFarEnd(false))
        #expect(fixture.keeper.current?.isHeldByFarEnd == false)
    }

    @Test func farEndThatHoldsTheCallReceivesNoKeys() {
        fixture.talk("1")
        fixture.line.calls[0].tell(.heldByFarEnd(true))
        fixture.keeper.press(.one)
        fixture.keeper.releaseKey()
        fixture.line.calls[0].tell(.heldByFarEnd(false))
        fixture.keeper.press(.two)
        fixture.keeper.releaseKey()
        #expect(fixture.line.calls[0].keys == "2")
        #expect(fixture.keeper.current?.digits == "2", "only what was sent is shown")
    }

    @Test func digitsBehindNumberWaitUntilFarEndResumes() {
        fixture.talk("5551234,12")
        fixture.line.calls[0].tell(.heldByFarEnd(true))
        fixture.clock.advance(by: .seconds(10))
        #expect(fixture.line.calls[0].keys == "")
        fixture.line.calls[0].tell(.heldByFarEnd(false))
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.line.calls[0].keys == "12")
    }

    @Test func qualityIsMeasuredOnlyOnRequest() {
        fixture.line.features.insert(.quality)
        fixture.talk("1")
        fixture.clock.advance(by: .seconds(5))
        #expect(fixture.line.calls[0].orders == [])
        fixture.keeper.measuresQuality = true
        #expect(fixture.line.calls[0].orders == ["measure"])
        fixture.clock.advance(by: .seconds(3))
        #expect(fixture.line.calls[0].orders.count == 4)
        fixture.line.calls[0].tell(.quality(quality))
        #expect(fixture.keeper.current?.quality == quality)
        fixture.keeper.measuresQuality = false
        fixture.clock.advance(by: .seconds(3))
        #expect(fixture.line.calls[0].orders.count == 4)
        fixture.keeper.measuresQuality = true
        fixture.keeper.setHeld(true)
        fixture.clock.advance(by: .seconds(3))
        #expect(fixture.line.calls[0].orders.suffix(2) == ["measure", "hold"], "nothing is heard")
        #expect(fixture.clock.pending == 0)
    }

    @Test func lineWithoutQualityIsNotAsked() {
        fixture.keeper.measuresQuality = true
        fixture.talk("1")
        fixture.clock.advance(by: .seconds(2))
        #expect(fixture.line.calls[0].orders == [])
    }

    @Test func qualityIsBounded() {
        let wild = CallQuality(
            codec: "", encryption: "", loss: .infinity, jitter: -.infinity, roundTrip: .nan)
        #expect(wild == CallQuality(codec: "", encryption: "", loss: 100, jitter: 0, roundTrip: 0))
    }
}
