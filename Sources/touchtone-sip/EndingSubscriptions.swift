// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims

/// A subscription that nobody wants any more, of which the registrar has to be told.
struct EndingSubscription {
    let handle: OpaquePointer
    let callID: String?
    let account: Account
    /// The time at which it ends without a response to its last request.
    let latest: Instant

    /// The time for that, in milliseconds.
    ///
    /// A request is repeated for 32 s (RFC 3261, section 17.1.2.2, timer F), and belle-sip renews again two seconds later.
    private static let patience = 33_000

    init(_ handle: OpaquePointer, callID: String?, account: Account) {
        (self.handle, self.callID, self.account) = (handle, callID, account)
        latest = Instant.now.advanced(by: Self.patience)
    }

    /// Whether the registrar cannot be told yet: liblinphone sends nothing while a request to subscribe or to renew has no
    /// response, and the subscription would go on.
    var hasToWait: Bool { callID.map { sipshims_awaits_response($0) } == true && latest > Instant.now }
}

/// The subscriptions that end as soon as their last requests have been answered.
struct EndingSubscriptions {
    private var waiting: [EndingSubscription] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// The time at which one ends in any case; nil if there is none.
    var nextEnd: Instant? { waiting.map(\.latest).min() }

    /// Ends a subscription now, or once that is possible.
    mutating func end(_ subscription: EndingSubscription) {
        if subscription.hasToWait { waiting.append(subscription) } else { Self.terminate(subscription) }
    }

    /// Removes and returns those that can end now.
    mutating func takeReady() -> [EndingSubscription] {
        let ready = waiting.filter { !$0.hasToWait }
        if !ready.isEmpty { waiting.removeAll(where: { !$0.hasToWait }) }
        return ready
    }

    static func terminate(_ subscription: EndingSubscription) {
        linphone_event_terminate(subscription.handle)
        linphone_event_unref(subscription.handle)
    }

    /// Handles the end of a subscription that liblinphone reported; returns whether it is one of these.
    mutating func handle(_ state: LinphoneSubscriptionState, of event: OpaquePointer) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.handle == event }) else { return false }
        if state == LinphoneSubscriptionError || state == LinphoneSubscriptionTerminated {
            linphone_event_unref(waiting.remove(at: index).handle)
        }
        return true
    }
}
