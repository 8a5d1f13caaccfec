// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore
import TouchtoneStore

/// Keeps facts, each with a number, until it is killed, and writes the number of each to the standard output once the
/// store says that it is kept.
@MainActor
final class Keeping {
    private let store = SQLiteStore()
    private var next: Int64

    /// - Parameter next: the number of the first.
    init(next: Int64) { self.next = next }

    func start() {
        // So that some are one transaction.
        for _ in 0..<5 { keepNext() }
    }

    private func keepNext() {
        let number = next
        next += 1
        store.apply([Self.fact(number)]) { [self] result in
            guard case .success = result else { exit(1) }
            let line = Array("\(number)\n".utf8)
            // Whoever listened may be gone.
            guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(1) }
            keepNext()
        }
        store.saveDraft("\(number)", for: Self.buddy(number))
    }

    private static func buddy(_ number: Int64) -> ChatAddress { ChatAddress("buddy\(number % 3)") }

    /// Each number that four divides acknowledges the message of mine two before it.
    private static func fact(_ number: Int64) -> ChatFact {
        let (buddy, time) = (buddy(number), ChatTime(milliseconds: number))
        let name = "name-\(number)"
        switch number % 4 {
        case 0: return .acknowledged(buddy: Self.buddy(number - 2), name: "name-\(number - 2)")
        case 1:
            return .came(
                CameMessage(buddy: buddy, isMine: false, text: "\(number)", time: time, name: name))
        case 2:
            return .written(WrittenMessage(buddy: buddy, name: name, text: "\(number)", time: time))
        default:
            let message = CameMessage(
                buddy: buddy, isMine: false, text: "\(number)", time: time, name: name,
                archiveName: "archive-\(number)")
            return .archived(ArchivePiece(.newest(upTo: "archive-\(number)"), [message]))
        }
    }
}
