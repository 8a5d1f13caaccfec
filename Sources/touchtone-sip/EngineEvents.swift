// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone

/// Something that liblinphone reported in a callback.
enum EngineEvent {
    case registration(account: OpaquePointer, LinphoneRegistrationState, RegistrationError)
    case call(OpaquePointer, LinphoneCallState)
    case transfer(OpaquePointer, LinphoneCallState)
    case key(OpaquePointer, CInt)
    case subscription(OpaquePointer, LinphoneSubscriptionState)
}

/// The error of a registration, as it was when it was reported.
struct RegistrationError {
    let reason: LinphoneReason
    let status: Int
    let text: String
    /// The time after which the server wants to be asked again, in seconds; 0 if it did not say.
    let retryAfter: Int
}

/// A queue of what callbacks reported, with references to accounts and calls, to be handled outside of them:
/// in a callback, liblinphone must not be changed.
final class EngineEvents {
    /// The receiver of calls whose state changes, within liblinphone's callback, before it describes their media.
    var onCallState: ((OpaquePointer) -> Void)?
    private var queue: [EngineEvent] = []
    private let callbacks: OpaquePointer
    private let core: OpaquePointer

    /// Creates a queue and connects it to a core, until `disconnect()`.
    init(of core: OpaquePointer) {
        self.core = core
        callbacks = linphone_factory_create_core_cbs(linphone_factory_get())
        linphone_core_cbs_set_user_data(callbacks, Unmanaged.passUnretained(self).toOpaque())
        linphone_core_cbs_set_account_registration_state_changed(callbacks) { core, account, state, _ in
            guard let account, let events = EngineEvents.of(core) else { return }
            linphone_account_ref(account)
            events.queue.append(.registration(account: account, state, EngineEvents.error(of: account)))
        }
        linphone_core_cbs_set_call_state_changed(callbacks) { core, call, state, _ in
            guard let call, let events = EngineEvents.of(core) else { return }
            linphone_call_ref(call)
            events.queue.append(.call(call, state))
            events.onCallState?(call)
        }
        linphone_core_cbs_set_transfer_state_changed(callbacks) { core, call, state in
            guard let call, let events = EngineEvents.of(core) else { return }
            linphone_call_ref(call)
            events.queue.append(.transfer(call, state))
        }
        linphone_core_cbs_set_dtmf_received(callbacks) { core, call, key in
            guard let call, let events = EngineEvents.of(core) else { return }
            linphone_call_ref(call)
            events.queue.append(.key(call, key))
        }
        linphone_core_cbs_set_subscription_state_changed(callbacks) { core, event, state in
            guard let event, let events = EngineEvents.of(core) else { return }
            linphone_event_ref(event)
            events.queue.append(.subscription(event, state))
        }
        linphone_core_add_callbacks(core, callbacks)
    }

    /// Removes and handles all events, also those that arrive meanwhile; returns whether there were any.
    func handleAll(_ handle: (EngineEvent) -> Void) -> Bool {
        var count = 0
        while !queue.isEmpty {
            let event = queue.removeFirst()
            handle(event)
            Self.release(event)
            count += 1
        }
        return count > 0
    }

    func disconnect() {
        linphone_core_remove_callbacks(core, callbacks)
        linphone_core_cbs_unref(callbacks)
        queue.forEach(Self.release)
        queue = []
    }

    private static func release(_ event: EngineEvent) {
        switch event {
        case .registration(let account, _, _): linphone_account_unref(account)
        case .call(let call, _), .transfer(let call, _), .key(let call, _): linphone_call_unref(call)
        case .subscription(let event, _): linphone_event_unref(event)
        }
    }

    private static func of(_ core: OpaquePointer?) -> EngineEvents? {
        guard let data = linphone_core_cbs_get_user_data(linphone_core_get_current_callbacks(core)) else {
            return nil
        }
        return Unmanaged<EngineEvents>.fromOpaque(data).takeUnretainedValue()
    }

    private static func error(of account: OpaquePointer) -> RegistrationError {
        let info = linphone_account_get_error_info(account)
        // The error has no such time for registrations.
        let retryAfter = Texts.safe(linphone_account_get_custom_header(account, "Retry-After"))
        return RegistrationError(
            reason: linphone_error_info_get_reason(info),
            status: Int(linphone_error_info_get_protocol_code(info)),
            text: Texts.safe(linphone_error_info_get_phrase(info)),
            retryAfter: Int(retryAfter.prefix { $0.isNumber }) ?? 0)
    }
}
