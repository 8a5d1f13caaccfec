// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of the theme that the first frame is drawn with.
final class FirstFrameThemeTests: GtkTestCase {
    @MainActor private static let resources = Resources(folder: "\(Checkout.folder)/data")

    func testNothingMovesWhenThemeIsReplaced() throws {
        try onMainActor {
            try Self.withSmallTheme {
                try Self.assertSame { try PhoneWindowFixture() }
            }
        }
    }

    func testNothingMovesOnNarrowPhoneWithAccount() throws {
        try onMainActor {
            try Self.withSmallTheme {
                try Self.assertSame {
                    try PhoneWindowFixture(width: 374, panel: false, account: FakeChatService())
                }
            }
        }
    }

    func testNothingMovesOnLockedPhone() throws {
        try onMainActor {
            try Self.withSmallTheme {
                try Self.assertSame { try PhoneWindowFixture(passcode: "1234") }
            }
        }
    }

    func testFirstRulesDrawFirstFrameAsAllRulesDo() throws {
        try onMainActor {
            let first = try Self.firstFrame(isStyleComplete: false)
            let all = try Self.firstFrame(isStyleComplete: true)
            XCTAssertEqual(first.places, all.places)
            XCTAssertEqual(first.changes(to: all), 0, "pixels differ")
        }
    }

    func testIconsStayWhenIconThemeIsLoaded() throws {
        try onMainActor {
            let folders = Self.iconFolders
            let fixture = try PhoneWindowFixture(beforeShowing: FirstFrameIcons.begin)
            defer { fixture.clear() }
            XCTAssertEqual(Self.iconFolders, [], "the icon theme is loaded")
            Self.settle(fixture.widget)
            let first = WindowDrawing(of: fixture.widget)
            FirstFrameIcons.end()
            XCTAssertEqual(Self.iconFolders, folders)
            Self.settle(fixture.widget)
            let second = WindowDrawing(of: fixture.widget)
            XCTAssertEqual(first.places, second.places)
            // The icon theme may be newer than GTK, with slightly different icons in the same places.
            XCTAssertGreaterThan(first.icons.count, 3)
            XCTAssertEqual(first.icons, second.icons)
            XCTAssertEqual(first.changes(to: second, besides: first.icons), 0, "pixels differ")
        }
    }

    func testWindowHasItsOwnIconOnceIconThemeIsLoaded() throws {
        try onMainActor {
            let folders = Self.iconFolders
            defer { Self.setIconFolders(folders) }
            gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), Self.resources.iconFolder)
            let fixture = try PhoneWindowFixture(beforeShowing: FirstFrameIcons.begin)
            defer { fixture.clear() }
            let window = try XCTUnwrap(gtk_widget_get_window(fixture.widget))
            XCTAssertEqual(Self.iconSize(of: window), 0)
            FirstFrameIcons.end()
            waitUntil("the window has an icon") { Self.iconSize(of: window) > 0 }
        }
    }

    func testIconThemeIsUsedForIconsThatGTKLacks() {
        onMainActor {
            for name in ["notifications-disabled-symbolic", "io.github.touchtone.Touchtone"] {
                let window: UnsafeMutablePointer<GtkWindow> = Self.newWindow()
                defer { gtk_widget_destroy(window.cast()) }
                let image: Widget = gtk_image_new_from_icon_name(name, GTK_ICON_SIZE_BUTTON)
                gtk_container_add(window.cast(), image)
                let folders = Self.iconFolders
                FirstFrameIcons.begin(in: window)
                XCTAssertEqual(Self.iconFolders, [], "a hidden icon is not needed")
                FirstFrameIcons.end()
                gtk_widget_show(image)
                FirstFrameIcons.begin(in: window)
                XCTAssertEqual(Self.iconFolders, folders, name)
            }
        }
    }

    func testIconThemeOfUserIsUsed() throws {
        try onMainActor {
            let settings = try XCTUnwrap(gtk_settings_get_default())
            let window: UnsafeMutablePointer<GtkWindow> = Self.newWindow()
            defer { gtk_widget_destroy(window.cast()) }
            let folders = Self.iconFolders
            for (property, value) in [
                ("gtk-icon-theme-name", "Papirus"), ("gtk-decoration-layout", "icon:minimize,close"),
            ] {
                cgtk_settings_set_text(settings, property, value)
                FirstFrameIcons.begin(in: window)
                XCTAssertEqual(Self.iconFolders, folders, property)
                gtk_settings_reset_property(settings, property)
            }
        }
    }

    func testFolderThatIsAddedMeanwhileStays() {
        onMainActor {
            let window: UnsafeMutablePointer<GtkWindow> = Self.newWindow()
            defer { gtk_widget_destroy(window.cast()) }
            let folders = Self.iconFolders
            defer { Self.setIconFolders(folders) }
            FirstFrameIcons.begin(in: window)
            gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), "/nonexistent/icons")
            FirstFrameIcons.end()
            XCTAssertEqual(Self.iconFolders, folders + ["/nonexistent/icons"])
        }
    }

    func testCompiledThemeIsCurrent() throws {
        try onMainActor {
            let file = try XCTUnwrap(g_resource_load(Self.resources.firstFrameTheme, nil))
            defer { g_resource_unref(file) }
            let path = "/org/gtk/libgtk/theme/touchtone-first-frame/gtk.css"
            let bytes = try XCTUnwrap(g_resource_lookup_data(file, path, G_RESOURCE_LOOKUP_FLAGS_NONE, nil))
            defer { g_bytes_unref(bytes) }
            var count: gsize = 0
            let data = g_bytes_get_data(bytes, &count)
            let compiled = Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
            XCTAssertEqual(compiled, Resources.content(of: Self.resources.style("first-frame")))
        }
    }

    @MainActor
    private static func newWindow() -> UnsafeMutablePointer<GtkWindow> {
        let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        return window.cast()
    }

    /// The folders in which GTK searches for icon themes.
    @MainActor
    private static var iconFolders: [String] {
        var (list, count): (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, gint) = (nil, 0)
        gtk_icon_theme_get_search_path(gtk_icon_theme_get_default(), &list, &count)
        defer { g_strfreev(list) }
        return (0..<Int(count)).compactMap { list?[$0].map { String(cString: $0) } }
    }

    @MainActor
    private static func setIconFolders(_ folders: [String]) {
        gtk_icon_theme_set_search_path(gtk_icon_theme_get_default(), nil, 0)
        for folder in folders { gtk_icon_theme_append_search_path(gtk_icon_theme_get_default(), folder) }
    }

    /// Returns the number of values in the icon of an X window, which the window manager shows.
    @MainActor
    private static func iconSize(of window: OpaquePointer) -> gint {
        var (type, format, length): (GdkAtom?, gint, gint) = (nil, 0, 0)
        var data: UnsafeMutablePointer<guchar>?
        let icon = gdk_atom_intern_static_string("_NET_WM_ICON")
        let cardinal = gdk_atom_intern_static_string("CARDINAL")
        guard
            gdk_property_get(window, icon, cardinal, 0, 1 << 20, 0, &type, &format, &length, &data) != 0
        else { return 0 }
        g_free(data)
        return length
    }

    /// Returns the first frame of a window with a panel.
    @MainActor
    private static func firstFrame(isStyleComplete: Bool) throws -> WindowDrawing {
        let frame = Variable<WindowDrawing?>(nil)
        var isDrawing = false
        let fixture = try PhoneWindowFixture(
            isStyleComplete: isStyleComplete,
            whenDrawn: {
                guard !isDrawing, frame.value == nil else { return }
                isDrawing = true
                frame.value = WindowDrawing(of: $0)
            })
        defer { fixture.clear() }
        return try XCTUnwrap(frame.value)
    }

    /// Runs a test with the small theme, without transitions, which would delay what changes.
    @MainActor
    private static func withSmallTheme(_ test: () throws -> Void) throws {
        let file = try XCTUnwrap(g_resource_load(resources.firstFrameTheme, nil))
        g_resources_register(file)
        let settings = try XCTUnwrap(gtk_settings_get_default())
        cgtk_settings_set_flag(settings, "gtk-enable-animations", 0)
        cgtk_settings_set_text(settings, "gtk-theme-name", "touchtone-first-frame")
        defer {
            gtk_settings_reset_property(settings, "gtk-theme-name")
            gtk_settings_reset_property(settings, "gtk-enable-animations")
            g_resources_unregister(file)
            g_resource_unref(file)
        }
        try test()
    }

    /// Asserts that a window looks the same with GTK’s theme as with the small one.
    @MainActor
    private static func assertSame(
        file: StaticString = #filePath, line: UInt = #line, _ make: () throws -> PhoneWindowFixture
    ) throws {
        let fixture = try make()
        XCTAssertFalse(knowsAdwaita(fixture.widget), "GTK’s theme is loaded", file: file, line: line)
        settle(fixture.widget)
        let first = WindowDrawing(of: fixture.widget)
        gtk_settings_reset_property(gtk_settings_get_default(), "gtk-theme-name")
        XCTAssert(knowsAdwaita(fixture.widget), "GTK’s theme is not loaded", file: file, line: line)
        settle(fixture.widget)
        let second = WindowDrawing(of: fixture.widget)
        XCTAssertEqual(first.places.count, second.places.count, file: file, line: line)
        for (before, after) in zip(first.places, second.places) {
            XCTAssertEqual(before, after, file: file, line: line)
        }
        XCTAssertEqual(first.changes(to: second), 0, "pixels differ", file: file, line: line)
        fixture.clear()
    }

    /// Waits until a window shows all that it has loaded: what is new in one frame may be laid out in the next.
    @MainActor
    private static func settle(_ widget: UnsafeMutablePointer<GtkWidget>) {
        for _ in 0..<3 {
            handleEvents()
            gtk_widget_queue_draw(widget)
            gtk_test_widget_wait_for_draw(widget)
        }
    }

    @MainActor
    private static func knowsAdwaita(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        var color = GdkRGBA()
        let context = gtk_widget_get_style_context(widget)
        return gtk_style_context_lookup_color(context, "theme_bg_color", &color) != 0
    }
}
