// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Glibc
import TouchtoneCore
import TouchtoneStore

/// `storewriter FIRST` keeps facts from number FIRST on, in the user's folder of data, until it is killed, and writes
/// the number of each to its standard output once the store says that it is kept.
@main
struct Storewriter {
    static func main() {
        guard let first = CommandLine.arguments.dropFirst().first.flatMap({ Int64($0) }) else { exit(2) }
        Task { @MainActor in
            let writer = Writer(next: first)
            // So that some are one transaction.
            for _ in 0..<5 { writer.keepNext() }
        }
        dispatchMain()
    }
}

@MainActor
private final class Writer {
    private let store = SQLiteMessageStore()
    private var next: Int64

    init(next: Int64) { self.next = next }

    func keepNext() {
        let number = next
        next += 1
        store.apply([Self.fact(number)]) { [self] result in
            guard case .success = result else {
                exit(1)
            }
            let line = Array("\(number)\n".utf8)
            // Whoever listened may be gone.
            guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(1) }
            keepNext()
        }
        store.saveDraft("\(number)", for: Self.buddy(number))
    }

    private static func buddy(_ number: Int64) -> ChatAddress { ChatAddress("buddy\(number % 3)") }

    /// Each number that can be divided by four acknowledges the fourth message before it, which is of mine.
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
