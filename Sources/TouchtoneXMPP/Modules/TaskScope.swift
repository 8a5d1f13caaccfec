// SPDX-License-Identifier: GPL-3.0-or-later

/// The life of a stream, or of a stay in a room: the tasks that belong to it are cancelled when it ends.
///
/// An answer that arrives after the end is void: code that has waited checks the scope before it continues.
@MainActor
final class TaskScope {
    private(set) var isOver = false
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0

    /// Runs a task that is cancelled when the scope ends; it does not start in a scope that is over.
    @discardableResult
    func run(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        lastNumber += 1
        let number = lastNumber
        let task = Task {
            if !isOver { await body() }
            tasks[number] = nil
        }
        if !isOver { tasks[number] = task }
        return task
    }

    func end() {
        isOver = true
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }

    /// - Throws: `RequestError.disconnected` if the scope is over.
    func check() throws(RequestError) {
        if isOver { throw .disconnected }
    }
}
