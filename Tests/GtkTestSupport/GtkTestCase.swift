// SPDX-License-Identifier: GPL-3.0-or-later

// A release build with the static runtime, which leaves tests out, has no XCTest, but builds this module too.
#if canImport(XCTest)
    import GtkBridge
    import TestSupport
    public import XCTest

    /// A test of something of GTK, on a screen of the tests' own; a critical of GLib or GTK ends it.
    ///
    /// XCTest calls tests on the main thread, but on Linux it can't call a method that is bound to the main actor: such a
    /// test does its work in `onMainActor`.
    open class GtkTestCase: XCTestCase {
        /// Starts the screen and GTK, once for all tests of the process.
        open override func setUpWithError() throws {
            do {
                try Display.start()
            } catch let missing as MissingPeer where !Peer.isRequired {
                throw XCTSkip("\(missing)")
            }
            onMainActor {
                Gtk.start()
                // As in the program: what is told comes in the order in which it was told.
                MainLoop.keepTasksOnMainThread()
            }
        }

        open override func tearDown() {
            // Other tests wait on the main thread for tasks that have to run elsewhere.
            onMainActor { MainLoop.keepTasksOnMainThread(false) }
        }
    }

    /// Runs a test's body where GTK is.
    public func onMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        try MainActor.assumeIsolated(body)
    }

    /// Runs the main loop until `condition` holds, or fails the test after a minute: a loaded machine takes its time.
    @MainActor
    public func waitUntil(
        _ what: String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
    ) {
        var isOver = false
        let limit = MainLoop.after(milliseconds: 60_000) { isOver = true }
        while !condition(), !isOver { g_main_context_iteration(nil, 1) }
        limit.cancel()
        XCTAssert(condition(), "waited in vain until \(what)", file: file, line: line)
    }

    /// Handles what has happened by now: what waits in the main loop, and what the X server was asked for.
    @MainActor
    public func handleEvents() {
        if let display = gdk_display_get_default() { gdk_display_sync(display) }
        // GDK holds events back while a frame is being drawn: then the loop sleeps until it is.
        while g_main_context_iteration(nil, gdk_events_pending()) != 0 || gdk_events_pending() != 0 {}
    }

    @MainActor
    private enum Gtk {
        static func start() {
            _ = started
        }

        private static let started: Void = {
            // gtk_test_init() reads the program's name from a real argv, and so does this one.
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("tests"), nil]
            arguments.withUnsafeMutableBufferPointer { buffer in
                var count: gint = 1
                var argv = buffer.baseAddress
                precondition(gtk_init_check(&count, &argv) != 0, "the virtual screen does not answer")
            }
            hdy_init()
            let fatal = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue
            g_log_set_always_fatal(GLogLevelFlags(rawValue: fatal))
            MainLoop.attachMainActor()
        }()
    }
#endif
