// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneXMPP

@Suite @MainActor struct TaskScopeTests {
    @Test func endOfScopeCancelsItsTasks() async {
        let scope = TaskScope()
        var (isCancelled, isStarted) = (false, false)
        let task = scope.run {
            isStarted = true
            scope.end()
            isCancelled = Task.isCancelled
        }
        await task.value
        #expect(isStarted && isCancelled && scope.isOver)
        do throws(RequestError) {
            try scope.check()
            Issue.record("the scope is over")
        } catch {
            #expect(error == .disconnected)
        }
    }

    @Test func taskDoesNotStartAfterTheEnd() async throws {
        let scope = TaskScope()
        var starts = 0
        let early = scope.run { starts += 1 }
        try scope.check()
        scope.end()
        let late = scope.run { starts += 1 }
        await early.value
        await late.value
        #expect(starts == 0)
    }
}
