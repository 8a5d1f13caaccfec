// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge
import Glibc
import TouchtoneBooks
import TouchtoneCore

/// Reads the desktop's address books, or a file of vCards, as a program beside the tests.
@main
@MainActor
struct Bookreader {
    static func main() {
        MainLoop.attachMainActor()
        MainLoop.keepTasksOnMainThread()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let library = BooksLibrary(folders: LibraryFolders.standard)
        let watching = Watching(EDSAddressBooks(library))
        switch (arguments.first, arguments.count) {
        case ("watch", 1): watching.start()
        case ("measure", 1): Task { await Measuring(VCardCoder()).run() }
        case ("read", 2): Task { await Reading(VCardCoder()).run(arguments[1]) }
        default:
            print("Usage: bookreader watch | measure | read FILE")
            exit(2)
        }
        g_main_loop_run(g_main_loop_new(nil, 0))
        watching.stop()
    }
}
