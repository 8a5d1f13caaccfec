// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// A phone that PipeWire offers as an object of the session bus.
@MainActor
final class TelephonyGateway: PhoneControl {
    private let bus: DBusConnection
    private let path: String

    init(_ bus: DBusConnection, path: String) { (self.bus, self.path) = (bus, path) }

    func perform(
        _ operation: PhoneOperation,
        answered: @escaping @MainActor (Result<String?, PhoneRefusal>) -> Void
    ) {
        switch operation {
        case .dial(let number): ask("Dial", [.string(number)], answered)
        case .answer(let call): ask("Answer", of: call, answered)
        case .hangUp(let call): ask("Hangup", of: call, answered)
        case .swapCalls: ask("SwapCalls", [], answered)
        case .holdAndAnswer: ask("HoldAndAnswer", [], answered)
        case .releaseAndAnswer: ask("ReleaseAndAnswer", [], answered)
        case .hangUpAll: ask("HangupAll", [], answered)
        case .createMultiparty: ask("CreateMultiparty", [], answered)
        case .sendTone(let key): ask("SendTones", [.string(String(key))], answered)
        }
    }

    private func ask(
        _ method: String, _ arguments: [Variant],
        _ answered: @escaping @MainActor (Result<String?, PhoneRefusal>) -> Void
    ) {
        call(path, TelephonyService.gatewayInterface, method, arguments, answered)
    }

    private func ask(
        _ method: String, of call: String,
        _ answered: @escaping @MainActor (Result<String?, PhoneRefusal>) -> Void
    ) {
        self.call(call, TelephonyService.callInterface, method, [], answered)
    }

    private func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: [Variant],
        _ answered: @escaping @MainActor (Result<String?, PhoneRefusal>) -> Void
    ) {
        let object = DBusObject(TelephonyService.name, path: path, interface: interface)
        bus.call(object, method, arguments, startsService: false) { result in
            switch result {
            // Newer versions do not name the call.
            case .success(let values): answered(.success(values.type == "(o)" ? values[0]?.string : nil))
            case .failure(let error): answered(.failure(PhoneRefusal(error)))
            }
        }
    }
}

extension PhoneRefusal {
    /// The errors of the network for which a phone gives a number (3GPP TS 27.007, section 9.2), in PipeWire's words.
    private static let networkErrors = [
        "no connection to phone", "no network service", "network Timeout", "network not allowed",
    ]

    init(_ error: GLibError) {
        guard let error = error.fromBus else {
            self = .other
            return
        }
        if error.name == "\(TelephonyService.name).Error.InvalidFormat" {
            self = .invalidNumber
        } else if error.name == "\(TelephonyService.name).Error.CME",
            Self.networkErrors.contains(where: { error.message.hasPrefix($0) })
        {
            self = .noNetwork
        } else {
            self = .other
        }
    }
}
