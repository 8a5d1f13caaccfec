// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row with which the user tries the microphone: a key, and a meter.
///
/// The microphone is open only while the user tries it: until the key is pressed again, the page is left, or a minute is over.
@MainActor
final class MicrophoneTestRow {
    private static let longest: UInt32 = 60_000

    private let row, key: Widget
    private let bar: LevelBar
    private let monitor: any MicrophoneMonitor
    private var watch: (any MicrophoneWatch)?
    private var timer: MainLoop.Timer?
    /// The number of the present test, so that what an earlier one has measured is not shown.
    private var number = 0
    private let subtitle: String

    init(_ builder: Builder, monitor: any MicrophoneMonitor, settings: Settings) throws(GLibError) {
        self.monitor = monitor
        (row, key) = (try builder.object("microphone-test-row"), try builder.object("microphone-test"))
        bar = LevelBar(try builder.object("microphone-level"))
        subtitle = hdy_action_row_get_subtitle(row.cast()).map { String(cString: $0) } ?? ""
        row.isVisible = true
        Signal.connect(key, "toggled") { [weak self] in self?.toggled() }
        // The page, because GTK does not unmap what is in its viewport.
        let page: Widget = try builder.object("page")
        Signal.connect(page, "unmap") { [weak self] in self?.end() }
        settings.follow("microphone-device") { [weak self] in
            // The engine of sounds follows the setting, too, perhaps later.
            MainLoop.soon { if self?.watch != nil { self?.begin() } }
        }
    }

    isolated deinit { watch?.stop() }

    private var isOn: Bool { gtk_toggle_button_get_active(key.cast()) != 0 }

    private func toggled() {
        if !isOn { stop() } else if watch == nil { begin() }
    }

    /// Listens to the chosen microphone.
    private func begin() {
        stop()
        say(subtitle)
        let number = number
        watch = monitor.watch(
            heard: { [weak self] level in Task { @MainActor in self?.show(level, of: number) } },
            failed: { [weak self] in Task { @MainActor in self?.failed(number) } })
        timer = MainLoop.after(milliseconds: Self.longest) { [weak self] in self?.end() }
    }

    private func stop() {
        timer = nil
        number += 1
        watch?.stop()
        watch = nil
        bar.show(nil)
    }

    /// Ends the test, and releases the key.
    private func end() {
        stop()
        if isOn { gtk_toggle_button_set_active(key.cast(), 0) }
    }

    private func show(_ level: Double, of number: Int) {
        if number == self.number { bar.show(level) }
    }

    private func failed(_ number: Int) {
        guard number == self.number else { return }
        end()
        say(localized("There is no microphone, or it cannot be used."))
    }

    private func say(_ text: String) {
        guard hdy_action_row_get_subtitle(row.cast()).map({ String(cString: $0) }) != text else { return }
        hdy_action_row_set_subtitle(row.cast(), text)
        row.setAnnounced(name: localized("Microphone Test"), description: text)
    }
}
