// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims

/// The way that the requests of an account take: through its server, over its transport.
struct Route {
    /// The user and the host in From.
    let user, host: String
    /// The address of the server, with the transport.
    let server: String

    init(identity: OpaquePointer, server: OpaquePointer) {
        user = Texts.safe(linphone_address_get_username(identity))
        host = Texts.safe(linphone_address_get_domain(identity)).lowercased()
        let text = linphone_address_as_string_uri_only(server)
        defer { bctbx_free(text) }
        self.server = Texts.safe(text)
    }
}

extension Calls {
    /// Sends each request through the server of its account from now on.
    func beginRoutes() {
        sipshims_set_routes(
            { context, callID, user, host, index, address, size in
                guard let context, let callID, let user, let host, let address else { return false }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                let route = calls.route(
                    of: String(cString: callID), user: String(cString: user), host: String(cString: host),
                    at: Int(index))
                guard let bytes = route?.server.utf8CString, bytes.count <= size else { return false }
                for (index, byte) in bytes.enumerated() { address[index] = byte }
                return true
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the route of a request, or another one of its identity; nil if there is none.
    private func route(of callID: String, user: String, host: String, at index: Int) -> Route? {
        accounts.lastCallID = callID
        guard index == 0 else { return accounts.routes(user: user, host: host).dropFirst(index).first }
        if let call = call(withCallID: callID) { return call.account.route }
        // A call whose addresses were collected first has no Call-ID before its request.
        if let route = endpoint.route(user: user, host: host) { return route }
        // liblinphone follows a redirection with another Call-ID.
        if let call = redirectedCall, call.account.route.isOf(user: user, host: host) {
            call.otherCallIDs.insert(callID)
            return call.account.route
        }
        return accounts.routes(user: user, host: host).first
    }
}

extension Route {
    func isOf(user: String, host: String) -> Bool { self.user == user && self.host == host.lowercased() }
}
