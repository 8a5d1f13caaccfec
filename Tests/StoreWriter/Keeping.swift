// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore
import TouchtoneStore

/// Stores numbered facts, calls and contacts until it is killed, and prints the number of each once the store confirms
/// it.
@MainActor
final class Keeping {
    private let store = SQLiteStore()
    private let directory: KeepingDirectory
    private var next: Int64

    /// - Parameter next: The number of the first fact.
    init(next: Int64) {
        self.next = next
        directory = KeepingDirectory(store)
    }

    func start() {
        // Several operations then form one transaction.
        for _ in 0..<5 { keepNext() }
        directory.start()
    }

    private func keepNext() {
        let number = next
        next += 1
        store.apply([Self.fact(number)]) { [self] result in
            guard case .success = result else { exit(1) }
            Self.say("\(number)")
            keepNext()
        }
        store.saveDraft("\(number)", for: Self.buddy(number))
    }

    static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        // The reader may have ended.
        guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(1) }
    }

    private static func buddy(_ number: Int64) -> ChatAddress { ChatAddress("buddy\(number % 3)") }

    /// Each number divisible by four acknowledges the user's message two before it.
    private static func fact(_ number: Int64) -> MessageUpdate {
        let (buddy, time) = (buddy(number), ChatTime(milliseconds: number))
        let name = "name-\(number)"
        switch number % 4 {
        case 0: return .acknowledged(buddy: Self.buddy(number - 2), name: "name-\(number - 2)")
        case 1:
            return .received(
                ReceivedMessage(buddy: buddy, sender: .buddy, text: "\(number)", time: time, name: name))
        case 2:
            return .composed(ComposedMessage(buddy: buddy, name: name, text: "\(number)", time: time))
        default:
            let message = ReceivedMessage(
                buddy: buddy, sender: .buddy, text: "\(number)", time: time, name: name,
                archiveName: "archive-\(number)")
            return .archived(ArchivePage(.newest(upTo: "archive-\(number)"), [message]))
        }
    }
}
