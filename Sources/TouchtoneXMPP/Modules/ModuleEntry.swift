// SPDX-License-Identifier: GPL-3.0-or-later

/// A module in the list of a session, and what accounts advertise for it before there is a session.
struct ModuleEntry: Sendable {
    let features: [String]
    let module: @MainActor @Sendable (XMPPAccountSession) -> any StreamModule

    init<Module: StreamModule>(_ module: @escaping @MainActor @Sendable (XMPPAccountSession) -> Module) {
        features = Module.features
        self.module = { module($0) }
    }
}
