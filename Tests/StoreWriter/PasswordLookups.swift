// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneStore

/// The first look-ups of a program in the keyring, at the same moment.
@MainActor
enum PasswordLookups {
    /// Looks up the password of `ada@example.org` in stores for the services `0`, `1` …, and describes each result.
    static func found(_ count: Int) async -> String {
        let stores = (0..<count).map { KeyringPasswordStore(service: "\($0)") }
        // Each store has a thread of its own.
        let tasks = stores.map { store in Task { @MainActor in await result(store) } }
        var results: [String] = []
        for task in tasks { results.append(await task.value) }
        return results.joined(separator: ",")
    }

    private static func result(_ store: KeyringPasswordStore) async -> String {
        do {
            return try await store.password(of: "ada@example.org") ?? "none"
        } catch {
            return "\(error)"
        }
    }
}
