// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TestSupport
import XCTest

/// Tests of calls and signals on the test's own bus, with a substitute for RealtimeKit as the service.
final class DBusConnectionTests: XCTestCase {
    private static let name = "org.freedesktop.RealtimeKit1"
    private static let properties = DBusObject(
        name, path: "/org/freedesktop/RealtimeKit1", interface: "org.freedesktop.DBus.Properties")
    private static let greatest: [Variant] = [.string(name), .string("MaxRealtimePriority")]

    func testBlockingCallsReturnValuesAndThrowErrors() throws {
        let bus = try startBus()
        defer { bus.end() }
        let connection = try DBusConnection.connectPrivatelyAndWait(to: .system)
        let answer = try connection.callAndWait(Self.properties, "Get", Self.greatest)
        XCTAssertEqual(answer.type, "(v)")
        XCTAssertGreaterThan(try XCTUnwrap(answer[0]?.content?.integer), 0)
        XCTAssertThrowsError(try connection.callAndWait(Self.properties, "Nonsense")) { error in
            XCTAssertEqual((error as? GLibError)?.domain, "g-dbus-error-quark")
        }
    }

    func testMissingBusThrowsError() {
        SystemBus.use("unix:path=/nonexistent")
        XCTAssertThrowsError(try DBusConnection.connectPrivatelyAndWait(to: .system))
    }

    func testCallsAndSignalsArriveInMainLoop() throws {
        let bus = try startBus()
        defer { bus.end() }
        try MainActor.assumeIsolated {
            MainLoop.attachMainActor()
            let other = try DBusConnection.connectPrivatelyAndWait(to: .system)
            var (heard, log): (Int, [String]) = (0, [])
            var subscription: DBusSubscription?
            Task {
                do throws(GLibError) {
                    let connection = try await DBusConnection.connect(to: .system)
                    let (isThere, isNowhere) = (
                        await connection.hasService(Self.name), await connection.hasService("no.such.service")
                    )
                    log.append("\(isThere) \(isNowhere)")
                    subscription = connection.watchOwner(of: "org.example.Touchtone") { heard += 1 }
                    // The reply arrives after the bus has registered the match for the signal.
                    let answer = try await connection.call(Self.properties, "Get", Self.greatest)
                    log.append(answer.type)
                    _ = try await connection.call(Self.properties, "Nonsense")
                } catch {
                    log.append(error.domain)
                }
            }
            MainLoop.run(upTo: 60_000) { log.count == 3 }
            XCTAssertEqual(log, ["true false", "(v)", "g-dbus-error-quark"])
            let request: [Variant] = [.string("org.example.Touchtone"), .uint32(0)]
            _ = try other.callAndWait(.bus, "RequestName", request)
            MainLoop.run(upTo: 60_000) { heard == 1 }
            XCTAssertEqual(heard, 1)
            subscription = nil
            _ = try other.callAndWait(.bus, "ReleaseName", [request[0]])
            var isAnswered = false
            Task {
                let connection = try await DBusConnection.connect(to: .system)
                _ = try await connection.call(.bus, "ListNames")
                isAnswered = true
            }
            // A signal would arrive before the reply.
            MainLoop.run(upTo: 60_000) { isAnswered }
            XCTAssertTrue(isAnswered)
            XCTAssertEqual(heard, 1, "a subscription that was released is heard")
            XCTAssertNil(subscription)
        }
    }

    func testExportedObjectAnswersUntilItIsReleased() throws {
        let bus = try startBus()
        defer { bus.end() }
        MainActor.assumeIsolated {
            MainLoop.attachMainActor()
            let description = """
                <node><interface name="org.example.Phone">
                  <property name="Number" type="u" access="read"/>
                  <property name="Unknown" type="u" access="read"/>
                  <method name="Double"><arg type="u" direction="in"/><arg type="u" direction="out"/></method>
                  <signal name="Rung"><arg type="s"/></signal>
                </interface></node>
                """
            var export: DBusExport?
            var (log, heard): ([String], [String]) = ([], [])
            var subscription: DBusSubscription?
            Task {
                do throws(GLibError) {
                    let own = try await DBusConnection.connectPrivately(to: .system)
                    export = try own.export(description, at: "/phone") {
                        $0 == "Number" ? .uint32(5) : nil
                    } called: {
                        _, values in
                        // The type of the argument is certain, its value is not.
                        guard let number = values[0]?.uint32, number < 100 else { return nil }
                        return [.uint32(number * 2)]
                    }
                    let other = try await DBusConnection.connect(to: .system)
                    let phone = DBusObject(own.uniqueName, path: "/phone", interface: "org.example.Phone")
                    let properties = DBusObject(
                        own.uniqueName, path: "/phone", interface: "org.freedesktop.DBus.Properties")
                    func ask(_ object: DBusObject, _ method: String, _ values: [Variant]) async -> String {
                        do throws(GLibError) {
                            let answer = try await other.call(object, method, values)
                            return "\(answer[0]?.content?.uint32 ?? answer[0]?.uint32 ?? 0)"
                        } catch {
                            return error.domain
                        }
                    }
                    subscription = other.listen(to: "Rung", of: phone) { heard.append($0[0]?.string ?? "") }
                    log.append(await ask(phone, "Double", [.uint32(21)]))
                    log.append(await ask(phone, "Double", [.uint32(100)]))
                    log.append(await ask(phone, "Double", [.string("21")]))
                    log.append(
                        await ask(properties, "Get", [.string("org.example.Phone"), .string("Number")]))
                    log.append(
                        await ask(properties, "Get", [.string("org.example.Phone"), .string("Unknown")]))
                    export?.emit("Rung", [.string("bell")])
                    // The signal arrives before the answer.
                    log.append(await ask(phone, "Double", [.uint32(1)]))
                    export = nil
                    log.append(await ask(phone, "Double", [.uint32(1)]))
                } catch {
                    log.append(error.message)
                }
            }
            MainLoop.run(upTo: 60_000) { log.count == 7 }
            let refused = "g-dbus-error-quark"
            XCTAssertEqual(log, ["42", refused, refused, "5", refused, "2", refused])
            XCTAssertEqual(heard, ["bell"])
            withExtendedLifetime(subscription) {}
        }
    }

    func testExportedObjectAnswersWithItsOwnErrorsAndTellsChanges() throws {
        let bus = try startBus()
        defer { bus.end() }
        MainActor.assumeIsolated {
            MainLoop.attachMainActor()
            let description = """
                <node><interface name="org.example.Phone">
                  <property name="Number" type="u" access="read"/>
                  <method name="Dial"><arg type="s" direction="in"/></method>
                </interface></node>
                """
            var export: DBusExport?
            var (log, heard): ([String], [String]) = ([], [])
            var subscription: DBusSubscription?
            Task {
                do throws(GLibError) {
                    let own = try await DBusConnection.connectPrivately(to: .system)
                    export = try own.export(description, at: "/phone") { (_, values) throws(DBusError) in
                        guard values.size < 100 else {
                            throw DBusError("org.example.Error.TooLong", "no: room")
                        }
                        return []
                    }
                    let other = try await DBusConnection.connect(to: .system)
                    let phone = DBusObject(own.uniqueName, path: "/phone", interface: "org.example.Phone")
                    let properties = DBusObject(
                        own.uniqueName, path: "/phone", interface: "org.freedesktop.DBus.Properties")
                    subscription = other.listen(to: "PropertiesChanged", of: properties) {
                        heard.append($0.printed)
                    }
                    for text in ["1", String(repeating: "1", count: 200)] {
                        do throws(GLibError) {
                            _ = try await other.call(phone, "Dial", [.string(text)])
                            log.append("done")
                        } catch {
                            log.append("\(error.fromBus?.name ?? "") \(error.fromBus?.message ?? "")")
                        }
                    }
                    export?.emitChanges([("Number", .uint32(7))])
                    // The signal arrives before the answer.
                    _ = try await other.call(phone, "Dial", [.string("2")])
                    log.append("end")
                } catch {
                    log.append(error.message)
                }
            }
            MainLoop.run(upTo: 60_000) { log.count == 3 }
            XCTAssertEqual(log, ["done", "org.example.Error.TooLong no: room", "end"])
            XCTAssertEqual(heard, ["('org.example.Phone', {'Number': <uint32 7>}, [])"])
            withExtendedLifetime((subscription, export)) {}
        }
    }

    private func startBus() throws -> SystemBus {
        do {
            return try SystemBus(granting: true)
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }
}
