// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The objects of the phone on the session bus; without a bus there are none.
@MainActor
final class BusObjects {
    let calls: CallObjects?
    private let phone: PhoneObject?

    init(
        _ dependencies: PhoneDependencies, reporter: Reporter, receiver: any NumberReceiver,
        on bus: DBusConnection?
    ) {
        guard let bus else {
            (calls, phone) = (nil, nil)
            return
        }
        var (calls, phone): (CallObjects?, PhoneObject?) = (nil, nil)
        do throws(GLibError) {
            calls = try CallObjects(
                phone: dependencies.phone, lock: dependencies.lock, wall: dependencies.messages.wall, on: bus)
            phone = try PhoneObject(
                phone: dependencies.phone, lock: dependencies.lock, receiver: receiver,
                makeReport: { reporter.text }, on: bus)
        } catch {
            DebugLog.write("bus: \(error.message)")
        }
        (self.calls, self.phone) = (calls, phone)
    }
}
