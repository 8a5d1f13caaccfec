// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone

/// The far end's confirmation of the answer to its call (RFC 3261, section 13.3.1.4), without which
/// liblinphone goes on for as long as the call lasts.
final class Acknowledgement {
    private(set) var isReceived = false
    /// The time after which an answer is repeated no more, if it has been sent; nil before.
    private var limit: Instant?
    private let handle: OpaquePointer
    private let callbacks: OpaquePointer?

    /// 64 times T1, in milliseconds.
    private static let timeout = 32_000

    init(of handle: OpaquePointer) {
        self.handle = linphone_call_ref(handle)
        callbacks = linphone_factory_create_call_cbs(linphone_factory_get())
        linphone_call_cbs_set_user_data(callbacks, Unmanaged.passUnretained(self).toOpaque())
        linphone_call_cbs_set_ack_processing(callbacks) { call, _, isReceived in
            guard isReceived != 0, let call, let callbacks = linphone_call_get_current_callbacks(call),
                let data = linphone_call_cbs_get_user_data(callbacks)
            else { return }
            Unmanaged<Acknowledgement>.fromOpaque(data).takeUnretainedValue().isReceived = true
        }
        linphone_call_add_callbacks(handle, callbacks)
    }

    deinit {
        linphone_call_remove_callbacks(handle, callbacks)
        linphone_call_cbs_unref(callbacks)
        linphone_call_unref(handle)
    }

    func answerSent() { limit = Instant.now.advanced(by: Self.timeout) }

    var isOverdue: Bool { !isReceived && limit.map { $0 <= Instant.now } ?? false }
}
