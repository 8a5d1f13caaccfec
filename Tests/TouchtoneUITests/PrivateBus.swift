// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TestSupport
import XCTest

/// A bus of the test’s own, with a connection for the phone and one for another program.
@MainActor
final class PrivateBus {
    let phone: DBusConnection
    private let other: DBusConnection
    private let bus: SystemBus
    private var subscriptions: [DBusSubscription] = []
    /// The signals that the other program has heard, as `INTERFACE.NAME PATH`.
    private(set) var heard: [String] = []
    /// The values of those signals.
    private(set) var values: [Variant] = []

    init() throws {
        do {
            bus = try SystemBus(granting: true)
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
        MainLoop.attachMainActor()
        phone = try DBusConnection.connectPrivatelyAndWait(to: .system)
        other = try DBusConnection.connectPrivatelyAndWait(to: .system)
    }

    func end() { bus.end() }

    /// Listens to a signal of the phone.
    func listen(to signal: String, of interface: String, at path: String) {
        let object = DBusObject(phone.uniqueName, path: path, interface: interface)
        subscriptions.append(
            other.listen(to: signal, of: object) { [weak self] in
                self?.heard.append("\(signal) \(path)")
                self?.values.append($0)
            })
    }

    /// Calls a method of the phone as the other program, and returns the results or nil, and the error’s last word.
    func call(
        _ interface: String, _ method: String, _ arguments: [Variant] = [], at path: String
    ) -> (results: Variant?, error: String) {
        var answer: (Variant?, String)?
        other.call(
            DBusObject(phone.uniqueName, path: path, interface: interface), method, arguments
        ) { result in
            switch result {
            case .success(let values): answer = (values, "")
            case .failure(let error):
                let name = error.fromBus?.name ?? error.message
                answer = (nil, name.split(separator: ".").last.map(String.init) ?? name)
            }
        }
        MainLoop.run(upTo: 60_000) { answer != nil }
        return answer ?? (nil, "none")
    }
}
