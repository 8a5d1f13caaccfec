// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The reason why a command on the command line has not done what it was asked for.
struct CommandFailure: Error {
    /// The exit status.
    enum Status: Int32 {
        case failed = 1
        case refused = 3
    }

    let message: String
    let status: Status

    init(_ message: String, status: Status) { (self.message, self.status) = (message, status) }
}

/// Runs a command that has no window.
@MainActor
enum Command {
    /// Runs the main loop until the command has ended, and returns its failure, or nil.
    static func run(
        _ body: @escaping @MainActor () async throws(CommandFailure) -> Void
    ) -> CommandFailure? {
        MainLoop.attachMainActor()
        var result: Result<Void, CommandFailure>?
        Task {
            do throws(CommandFailure) {
                try await body()
                result = .success(())
            } catch {
                result = .failure(error)
            }
        }
        while result == nil { g_main_context_iteration(nil, 1) }
        // What was changed reaches the other programs before this one ends.
        g_settings_sync()
        if case .failure(let failure) = result { return failure }
        return nil
    }
}
