// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the extensions that an account watches, of which its server may say anything.
    @Suite @MainActor struct ExtensionTests {
        private let fixture: SIPFixture
        private let number = CallTarget.number(DialledNumber("102") ?? DialledNumber())

        private static let address = "sip:102@example.org"

        init() async throws {
            fixture = try SIPFixture()
            try await fixture.register()
        }

        private var extensions: SIPExtensions? { (fixture.lines.line("ada") as? SIPLine)?.watched }

        /// Watches the extension 102, which is on a key.
        private func watch() async throws -> SIPExtensions {
            let extensions = try #require(extensions)
            extensions.onKeys = [number]
            extensions.setWanted(true, number)
            try await fixture.expect(.watch(account: "ada", addresses: [Self.address]))
            return extensions
        }

        private func say(_ state: SIPExtension, of account: String = "ada", at address: String = address) {
            fixture.engine.say(.extension(account: account, address: address, state))
        }

        private static let ringing = SIPExtension(
            .ringing, canBePickedUp: true,
            caller: SIPParty(address: "sip:103@example.org", displayName: "Grace")
        )

        @Test func onlyWhatIsOnAKeyIsWatched() async throws {
            let extensions = try #require(extensions)
            extensions.setWanted(true, number)
            await fixture.settle()
            #expect(fixture.engine.takeCommands().allSatisfy { $0 == .watch(account: "ada", addresses: []) })
            extensions.onKeys = [number, .number(DialledNumber("103") ?? DialledNumber())]
            try await fixture.expect(.watch(account: "ada", addresses: [Self.address]))
            #expect(try SIPFixture.open("ada")[list: "extensions"] == ["102"])
            extensions.setWanted(false, number)
            try await fixture.expect(.watch(account: "ada", addresses: []))
            #expect(try SIPFixture.open("ada")[list: "extensions"] == [])
        }

        @Test func statesAreTold() async throws {
            let extensions = try await watch()
            #expect(extensions.state(of: number) == .unknown)
            for (state, expected) in [
                (SIPExtension(.free), ExtensionState.free), (SIPExtension(.busy), .busy),
                (Self.ringing, .ringing),
                (SIPExtension(.unknown), .unknown),
            ] {
                say(SIPExtension(.busy), of: "bob")
                say(SIPExtension(.busy), at: "sip:999@example.org")
                say(state)
                try await fixture.wait { extensions.state(of: number) == expected }
            }
            #expect(extensions.state(of: .number(DialledNumber("999") ?? DialledNumber())) == .unknown)
        }

        @Test func statesEndWithEngineAndAccount() async throws {
            let extensions = try await watch()
            say(SIPExtension(.busy))
            try await fixture.wait { extensions.state(of: number) == .busy }
            fixture.engine.die()
            try await fixture.wait { extensions.state(of: number) == .unknown }
            fixture.clock.advance(by: .seconds(10))
            try await fixture.ready()
            try await fixture.wait {
                fixture.engine.commands.contains(.watch(account: "ada", addresses: [Self.address]))
            }
            say(SIPExtension(.free))
            try await fixture.wait { extensions.state(of: number) == .free }
            try SIPFixture.open("ada")[flag: "enabled"] = false
            try await fixture.wait { extensions.state(of: number) == .unknown }
        }

        /// The settings may have anything.
        @Test func settingsAreBounded() async throws {
            let extensions = try #require(extensions)
            let numbers = (100..<200).compactMap { CallTarget(kept: String($0)) }
            extensions.onKeys = numbers
            try SIPFixture.open("ada")[list: "extensions"] =
                [
                    "x", "", "102,5", "ada", String(repeating: "1", count: 500),
                    "sip:a%0D%0Ab@c.example",
                    "xmpp:ada@c.example",
                    "sip:" + String(repeating: "é", count: 100) + "@"
                        + String(repeating: "c.", count: 120) + "e",
                ] + numbers.map(\.kept)
            try await fixture.wait { extensions.addresses.count == SIPExtension.maximumWatched }
            #expect(extensions.wanted.count < 40)
            #expect(extensions.wanted.allSatisfy { numbers.contains($0) })
        }

        @Test func callIsPickedUp() async throws {
            let extensions = try await watch()
            #expect(extensions.pickup(at: number) == nil)
            say(Self.ringing)
            try await fixture.wait { extensions.state(of: number) == .ringing }
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: number))
            await fixture.settle()
            #expect(fixture.engine.takeCommands() == [], "nothing begins before it is wanted")
            #expect(fixture.calls.dial(number.remote, on: line, begin: pickup))
            let id = SIPCallID(rawValue: 2)
            try await fixture.expect(.call(id, .pickUp(account: "ada", address: Self.address)))
            fixture.engine.say(.call(id, .answered))
            try await fixture.wait { fixture.calls.current?.remote.number.text == "103" }
            #expect(fixture.calls.current?.remote.displayName == "Grace")
            #expect(fixture.calls.current?.state == .connected)
        }

        @Test(arguments: [481, 486, 487])
        func callThatIsOverIsNotAvailable(status: Int) async throws {
            let extensions = try await watch()
            say(Self.ringing)
            try await fixture.wait { extensions.state(of: number) == .ringing }
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: number))
            #expect(fixture.calls.dial(number.remote, on: line, begin: pickup))
            let id = SIPCallID(rawValue: 2)
            try await fixture.expect(.call(id, .pickUp(account: "ada", address: Self.address)))
            fixture.engine.say(.call(id, .ended(SIPEnd(.farEnd, status: status))))
            try await fixture.wait { fixture.calls.current?.state != .dialling }
            fixture.calls.leaveRefused()
            #expect(fixture.records.map(\.endReason) == [.notAvailable])
        }

        /// The user has chosen the code; without one, the server must have said enough.
        @Test func pickupCodeComesFirst() async throws {
            let extensions = try await watch()
            say(SIPExtension(.ringing))
            try await fixture.wait { extensions.state(of: number) == .ringing }
            #expect(extensions.pickup(at: number) == nil)
            let own = try SIPFixture.open("ada")
            for code in ["pick", "*8;x", String(repeating: "1", count: 21), ""] {
                own[text: "pickup-code"] = code
                #expect(extensions.pickup(at: number) == nil)
            }
            own[text: "pickup-code"] = "*8"
            await fixture.settle()
            _ = fixture.engine.takeCommands()
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: number))
            #expect(fixture.calls.dial(number.remote, on: line, begin: pickup))
            try await fixture.expect(
                .call(SIPCallID(rawValue: 2), .dial(account: "ada", address: "sip:*8102@example.org")))
        }

        /// A server that takes a pickup code may not name the caller.
        @Test func callByCodeIsFromItsCaller() async throws {
            let extensions = try await watch()
            try SIPFixture.open("ada")[text: "pickup-code"] = "*8"
            say(Self.ringing)
            try await fixture.wait { extensions.state(of: number) == .ringing }
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: number))
            #expect(fixture.calls.dial(number.remote, on: line, begin: pickup))
            let id = SIPCallID(rawValue: 2)
            try await fixture.expect(.call(id, .dial(account: "ada", address: "sip:*8102@example.org")))
            fixture.engine.say(.call(id, .answered))
            try await fixture.wait { fixture.calls.current?.remote.displayName == "Grace" }
            fixture.engine.say(.call(id, .ended(SIPEnd(.farEnd, status: 200))))
            try await fixture.wait { !fixture.records.isEmpty }
            #expect(fixture.records.map(\.direction) == [.pickedUp])
            #expect(fixture.records.map(\.remote.number.text) == ["103"])
        }

        // MARK: - Addresses

        /// Watches an address that is on a key.
        private func watch(address: String) async throws -> (SIPExtensions, CallTarget) {
            let (extensions, target) = (try #require(extensions), try #require(CallTarget(kept: address)))
            extensions.onKeys = [target]
            extensions.setWanted(true, target)
            try await fixture.expect(.watch(account: "ada", addresses: [target.kept]))
            say(Self.ringing, at: target.kept)
            try await fixture.wait { extensions.state(of: target) == .ringing }
            return (extensions, target)
        }

        @Test func addressIsWatchedAndPickedUp() async throws {
            let (extensions, target) = try await watch(
                address: "anna@office.example;transport=tcp?Replaces=x")
            #expect(try SIPFixture.open("ada")[list: "extensions"] == ["sip:anna@office.example"])
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: target))
            #expect(fixture.calls.dial(target.remote, on: line, begin: pickup))
            let id = SIPCallID(rawValue: 2)
            try await fixture.expect(.call(id, .pickUp(account: "ada", address: "sip:anna@office.example")))
            fixture.engine.say(.call(id, .answered))
            try await fixture.wait { fixture.calls.current?.remote.displayName == "Grace" }
            extensions.setWanted(false, target)
            #expect(try SIPFixture.open("ada")[list: "extensions"] == [])
        }

        /// An address of the settings needs no scheme.
        @Test func addressOfTheSettingsIsWatched() async throws {
            let extensions = try #require(extensions)
            extensions.onKeys = [try #require(CallTarget(kept: "sip:anna@office.example"))]
            try SIPFixture.open("ada")[list: "extensions"] = ["anna@OFFICE.example?Replaces=x"]
            try await fixture.expect(.watch(account: "ada", addresses: ["sip:anna@office.example"]))
        }

        /// At another domain, the code may mean anything.
        @Test func pickupCodeStandsBeforeTheUser() async throws {
            try SIPFixture.open("ada")[text: "pickup-code"] = "*8#"
            let (extensions, target) = try await watch(address: "sip:anna@example.org")
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: target))
            #expect(fixture.calls.dial(target.remote, on: line, begin: pickup))
            try await fixture.expect(
                .call(
                    SIPCallID(rawValue: 2), .dial(account: "ada", address: "sip:*8%23anna@example.org")))
        }

        @Test func pickupCodeIsNotDialledAtAnotherDomain() async throws {
            try SIPFixture.open("ada")[text: "pickup-code"] = "*8"
            let (extensions, target) = try await watch(address: "sip:anna@office.example")
            let line = try #require(fixture.lines.line("ada"))
            let pickup = try #require(extensions.pickup(at: target))
            #expect(fixture.calls.dial(target.remote, on: line, begin: pickup))
            try await fixture.expect(
                .call(
                    SIPCallID(rawValue: 2), .pickUp(account: "ada", address: "sip:anna@office.example")))
            fixture.calls.hangUp()
            say(SIPExtension(.ringing), at: target.kept)
            try await fixture.wait { extensions.pickup(at: target) == nil }
        }

        @Test func ownNumberIsNotWatched() async throws {
            let extensions = try #require(extensions)
            try SIPFixture.open("ada")[text: "address"] = "sip:102@example.org"
            await fixture.settle()
            extensions.onKeys = [number]
            extensions.setWanted(true, number)
            #expect(extensions.addresses == [])
        }
    }
}
