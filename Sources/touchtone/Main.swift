// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
public import GtkBridge
public import TouchtoneCore
import TouchtoneUI

/// The program's entry point.
@main
enum Main {
    static let version = "0.1.0"

    // This is not async: after its first suspension, an async main would leave the thread that GTK requires.
    static func main() {
        exit(run())
    }

    @MainActor
    private static func run() -> Int32 {
        MainLoop.keepTasksOnMainThread()
        let resources = Resources.find()
        if let resources { Translation.install(Gettext(folder: resources.localeFolder)) }
        do throws(CommandLineArguments.UsageError) {
            switch try CommandLineArguments(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(CommandLineArguments.usage)
            case .version: print("Touchtone \(version)")
            case .background: return show([], isInBackground: true, resources)
            case .service: return show(["--gapplication-service"], resources)
            case .call(let target, let dials):
                return run { () throws(CommandFailure) in try await CallCommand.run(target, dials: dials) }
            case .account(let request):
                return run { () throws(CommandFailure) in
                    guard let resources else { throw CommandFailure(noData, status: .failed) }
                    try await AccountCommand(resources).run(request)
                }
            case .diagnose:
                return run { () throws(CommandFailure) in
                    guard let resources else { throw CommandFailure(noData, status: .failed) }
                    try await DiagnoseCommand.run(resources)
                }
            case .run(let link): return show(link.map { [$0.text] } ?? [], resources)
            }
            return EXIT_SUCCESS
        } catch {
            printError(error.message)
            printError(localized("try “touchtone --help”"))
            return 2
        }
    }

    @MainActor
    private static func show(
        _ arguments: [String], isInBackground: Bool = false, _ resources: Resources?
    ) -> Int32 {
        guard GTKStart.run(resources) else {
            printError(localized("cannot open a display (check DISPLAY or WAYLAND_DISPLAY)"))
            return EXIT_FAILURE
        }
        do throws(GLibError) {
            guard let resources else {
                throw GLibError(domain: "touchtone", message: noData)
            }
            let application = PhoneApplication(resources: resources, version: version) {
                () throws(GLibError) in
                try CompositionRoot.make(resources: resources)
            }
            return try application.run(arguments: ["touchtone"] + arguments, isInBackground: isInBackground)
        } catch {
            printError(error.message)
            // Nobody has asked for a phone that starts with the session.
            if !isInBackground { StartFailure.explain(error.message) }
            return EXIT_FAILURE
        }
    }

    /// Runs a command without a window, and returns its exit status.
    @MainActor
    private static func run(_ body: @escaping @MainActor () async throws(CommandFailure) -> Void) -> Int32 {
        guard let failure = Command.run(body) else { return EXIT_SUCCESS }
        printError(failure.message)
        return failure.status.rawValue
    }

    private static var noData: String {
        localized(
            "The data files were not found. Install Touchtone, or set TOUCHTONE_DATA_DIR to their folder.")
    }

    private static func printError(_ message: String) {
        // `stderr` is a global C variable, which Swift 6 considers shared mutable state.
        _ = "touchtone: \(message)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}

extension Gettext: Translator {}
