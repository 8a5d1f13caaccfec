// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import StoreTestSupport
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// A store whose keys are in a folder of the test's own home.
@MainActor
struct ProtectionFixture {
    let home: Home
    let fixture: MessageStoreFixture
    let vault: any StoreKeyVault
    var store: SQLiteStore { fixture.store }
    var protection: StoreProtection { store.protection }
    var keys: String { "\(home.folder)/keys" }

    init(_ home: Home = Home(), vault: (any StoreKeyVault)? = nil) {
        try? FileManager.default.createDirectory(atPath: home.folder, withIntermediateDirectories: true)
        self.home = home
        self.vault = vault ?? FolderVault("\(home.folder)/keys")
        fixture = MessageStoreFixture(home, vault: self.vault)
    }

    /// Opens the file, and encrypts or decrypts it.
    func set(isOn: Bool) async throws {
        _ = try await store.summary()
        await fixture.flush()
        await protection.set(isOn: isOn)
    }

    /// Answers each problem, whose number starts at 1, and records it; nothing is asked after the answers are gone.
    func answer(_ body: @escaping @MainActor (Int) -> StoreKeyDecision) -> Answers {
        let answers = Answers()
        let protection = protection
        protection.observe(by: answers) { [weak answers] in
            guard let answers, let problem = protection.problem else { return }
            answers.problems.append(problem)
            protection.decide(body(answers.problems.count))
        }
        return answers
    }

    /// The problems that were answered.
    @MainActor
    final class Answers {
        fileprivate(set) var problems: [StoreKeyProblem] = []
    }

    /// The names of the keys.
    var keyNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: keys)) ?? []).filter { $0 != "new" }.sorted()
    }

    /// The first bytes of the file.
    var start: String {
        let data = FileManager.default.contents(atPath: home.messages) ?? Data()
        return String(decoding: data.prefix(9), as: UTF8.self)
    }

    /// Whether a text is in any file of the data folder, in UTF-8 or UTF-16.
    func hasInFiles(_ text: String) -> Bool {
        let needles = [Data(text.utf8), text.data(using: .utf16LittleEndian) ?? Data()]
        return fixture.files.contains { name in
            let data = FileManager.default.contents(atPath: "\(home.folders.data)/\(name)") ?? Data()
            return needles.contains { data.range(of: $0) != nil }
        }
    }

    /// Whether this system has an SQLCipher that the store can use; Debian 12 has an older one.
    nonisolated static let isAvailable: Bool = {
        // A sanitizer does not let a library prefer its own functions.
        for name in ["__asan_init", "__tsan_init"] where dlsym(nil, name) != nil { return false }
        if (try? SQLiteLibrary.encrypting()) != nil { return true }
        let release = (try? String(contentsOfFile: "/etc/debian_version", encoding: .utf8)) ?? ""
        precondition(release.hasPrefix("12"), "libsqlcipher1 is not installed")
        return false
    }()
}
