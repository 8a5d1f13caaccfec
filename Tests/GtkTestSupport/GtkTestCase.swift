// SPDX-License-Identifier: GPL-3.0-or-later

// A release build with the static runtime leaves tests out and has no XCTest, but builds this module too.
#if canImport(XCTest)
    import GtkBridge
    import TestSupport
    public import XCTest

    /// A GTK test on the test process's own screen; a critical warning of GLib or GTK fails it.
    ///
    /// XCTest calls tests on the main thread, but on Linux it can't call a method that is bound to the main actor, so
    /// such a test does its work in `onMainActor`.
    open class GtkTestCase: XCTestCase {
        /// Starts the screen and GTK once for all tests of the process.
        open override func setUpWithError() throws {
            do {
                try Display.start()
            } catch let missing as MissingPeer where !Peer.isRequired {
                throw XCTSkip("\(missing)")
            }
            onMainActor {
                Gtk.start()
                // As in the program, events arrive in the order in which they were sent.
                MainLoop.keepTasksOnMainThread()
            }
        }

        open override func tearDown() {
            onMainActor {
                clearScreen()
                XCTAssertEqual(CriticalWarnings.take(), [])
                // Other tests wait on the main thread for tasks that have to run elsewhere.
                MainLoop.keepTasksOnMainThread(false)
            }
        }
    }

    /// Ends the grabs and destroys the windows that a test has left, because it failed halfway.
    @MainActor
    public func clearScreen() {
        guard let seat = gdk_display_get_default().flatMap(gdk_display_get_default_seat) else { return }
        while let grab = gtk_grab_get_current() {
            // A menu closes the ones that it belongs to, too.
            if cgtk_instance_is_a(grab, gtk_menu_shell_get_type()) != 0 { gtk_menu_shell_cancel(grab.cast()) }
            if gtk_grab_get_current() == grab { gtk_grab_remove(grab) }
        }
        gdk_seat_ungrab(seat)
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        // One window may take others with it.
        let windows = sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
            .map { GObjectRef(retaining: $0) }
        for window in windows {
            // GTK keeps the others, of menus and tooltips, for itself.
            guard gtk_window_get_window_type(window.cast()) == GTK_WINDOW_TOPLEVEL else { continue }
            gtk_widget_destroy(window.cast())
        }
        handleEvents()
    }

    /// Runs the body of a test on the main actor.
    public func onMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        try MainActor.assumeIsolated(body)
    }

    /// Runs the main loop until `condition` holds, or fails the test after a minute, which allows for a loaded machine.
    @MainActor
    public func waitUntil(
        _ what: String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
    ) {
        MainLoop.run(upTo: 60_000, until: condition)
        XCTAssert(condition(), "waited in vain until \(what)", file: file, line: line)
    }

    /// Runs the main loop until some work and what follows it is done, including the frame.
    ///
    /// Tasks may report in further tasks, each of which takes another round.
    @MainActor
    public func waitUntilIdle(rounds: Int, after work: @escaping @MainActor () async -> Void = {}) {
        for _ in 0..<rounds {
            let isIdle = Variable(false)
            Task { @MainActor in
                await work()
                MainLoop.afterFrame { isIdle.value = true }
            }
            waitUntil("all is done") { isIdle.value }
        }
    }

    /// Handles all pending events of the main loop, and waits for the X server to complete its requests.
    @MainActor
    public func handleEvents() {
        if let display = gdk_display_get_default() { gdk_display_sync(display) }
        // GDK holds events back while a frame is being drawn, so the loop sleeps until it is.
        while g_main_context_iteration(nil, gdk_events_pending()) != 0 || gdk_events_pending() != 0 {}
    }

    /// Runs the body with the shadows, gradients and round corners that tests otherwise leave out.
    @MainActor
    public func drawingFully<Result>(_ body: () throws -> Result) rethrows -> Result {
        Gtk.setPlain(false)
        defer { Gtk.setPlain(true) }
        return try body()
    }

    @MainActor
    private enum Gtk {
        static func start() {
            _ = started
        }

        private static let started: Void = {
            CriticalWarnings.collect()
            // gtk_test_init() reads the program's name from a real argv, and so does this call.
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("tests"), nil]
            arguments.withUnsafeMutableBufferPointer { buffer in
                var count: gint = 1
                var argv = buffer.baseAddress
                precondition(gtk_init_check(&count, &argv) != 0, "the virtual screen does not answer")
            }
            hdy_init()
            setPlain(true)
            MainLoop.attachMainActor()
        }()

        /// The style without shadows, gradients and round corners, which take much time to draw and do not affect the
        /// layout.
        private static let plain: UnsafeMutablePointer<GtkCssProvider>? = {
            let provider = gtk_css_provider_new()
            let sheet =
                "* { box-shadow: none; text-shadow: none; -gtk-icon-shadow: none; background-image: none; border-radius: 0; }"
            gtk_css_provider_load_from_data(provider, sheet, -1, nil)
            return provider
        }()

        /// Adds or removes the plain style, which is above the style of the phone.
        static func setPlain(_ isPlain: Bool) {
            guard let screen = gdk_screen_get_default(), let plain else { return }
            if isPlain {
                gtk_style_context_add_provider_for_screen(
                    screen, OpaquePointer(plain), guint(GTK_STYLE_PROVIDER_PRIORITY_USER))
            } else {
                gtk_style_context_remove_provider_for_screen(screen, OpaquePointer(plain))
            }
        }
    }
#endif
