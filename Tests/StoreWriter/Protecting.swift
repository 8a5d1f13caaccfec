// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import StoreTestSupport
import TouchtoneCore
import TouchtoneStore

/// Encrypts or decrypts the stored messages, and says how far it is.
@MainActor
enum Protecting {
    /// - Parameter keys: The folder of the keys.
    static func run(isOn: Bool, keys: String) async {
        let store = SQLiteStore(vault: FolderVault(keys))
        // Opens the file.
        _ = try? await store.summary()
        Keeping.say("began")
        await withCheckedContinuation { done in store.flush { done.resume() } }
        await store.protection.set(isOn: isOn)
        guard store.protection.failure == nil else {
            Keeping.say("failed: \(String(describing: store.protection.failure))")
            exit(1)
        }
        Keeping.say("done")
    }
}
