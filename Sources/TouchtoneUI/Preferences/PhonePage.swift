// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Phone page: number format, keys, sound and the desktop.
@MainActor
final class PhonePage: PreferencesPage {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let builder: Builder
    private let reset: ResetRow
    private var devices: [ChoiceRow] = []
    private var rows: [ChoiceRow] = []
    private var search: Task<Void, Never>?
    private let samples: SoundPreview
    private let desktop: DesktopGroup

    private static let keys = [
        "number-format", "region", "number-pad", "tone-set", "tone-level", "pulse-dialling", "key-click",
        "tone-plan",
        "tone-device", "ring-device", "ring-level",
    ]

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        builder = try dependencies.layout(.phone)
        reset = ResetRow(try builder.object("reset"))
        samples = SoundPreview(dependencies.sounds)
        widget = try builder.object("page")
        desktop = try DesktopGroup(builder, settings: dependencies.settings, login: dependencies.login)
        try addChoices(dependencies)
        RegionField.connect(try builder.object("region"), to: dependencies.settings)
        for key in ["pulse-dialling", "key-click"] {
            dependencies.settings.bind(key, to: try builder.object(key, as: GtkWidget.self), "active")
        }
        for key in ["tone-level", "ring-level"] {
            dependencies.settings.bind(
                key, to: try builder.object("\(key)-value", as: GtkAdjustment.self), "value")
            dependencies.settings.bindWritable(key, to: try builder.object(key))
            passScrollEvents(try builder.object(key))
            Signal.connectFormat(try builder.object(key, as: GtkWidget.self)) { Self.decibels($0) }
        }
        reset.add(Self.keys + DesktopGroup.keys, of: dependencies.settings)
        findDevices(dependencies.devices)
        try connectPreviews(dependencies)
    }

    /// Connects the Preview buttons, because the chosen sounds are otherwise only heard in calls.
    private func connectPreviews(_ dependencies: PreferencesDependencies) throws(GLibError) {
        let (settings, resources) = (dependencies.settings, dependencies.resources)
        Signal.connect(try builder.object("hear-network", as: GtkWidget.self), "clicked") {
            [weak self, weak settings] in
            let plan = settings.flatMap { resources.tonePlan($0[text: "tone-plan"]) }
            guard let plan = plan ?? resources.standardTonePlan else { return }
            self?.samples.play(.cadence(plan[.ringback]), on: .tones)
        }
        Signal.connect(try builder.object("hear-bell", as: GtkWidget.self), "clicked") { [weak self] in
            self?.samples.play(.bell, on: .ringer)
        }
    }

    isolated deinit {
        search?.cancel()
    }

    private func addChoices(_ dependencies: PreferencesDependencies) throws(GLibError) {
        let (settings, resources) = (dependencies.settings, dependencies.resources)
        rows = [
            ChoiceRow(
                try builder.object("number-format"), of: "number-format", in: settings,
                [
                    .init("classic", localizedIn("number format", "Classic")),
                    .init("regional", localizedIn("number format", "Regional")),
                ]),
            ChoiceRow(
                try builder.object("number-pad"), of: "number-pad", in: settings,
                [
                    .init("automatic", localizedIn("number pad", "Automatic")),
                    .init("always", localized("Always")), .init("never", localized("Never")),
                ]),
            ChoiceRow(
                try builder.object("tone-set"), of: "tone-set", in: settings,
                [.init("", localized("Synthesizer"))] + resources.toneSets.map { .init($0, $0) },
                nameOfUnknown: { localized("{name} (not found)", ["name": $0]) }),
            ChoiceRow(
                try builder.object("tone-plan"), of: "tone-plan", in: settings,
                resources.tonePlans.map { .init($0.name, $0.country) },
                nameOfUnknown: { localized("{name} (not found)", ["name": $0]) }),
        ]
        for key in ["tone-device", "ring-device"] {
            devices.append(
                ChoiceRow(
                    try builder.object(key), of: key, in: settings, [Self.defaultDevice],
                    nameOfUnknown: { localized("{name} (not connected)", ["name": $0]) }))
        }
    }

    /// Formats a level in decibels.
    ///
    /// A left-to-right mark keeps the sign before the number in right-to-left text.
    private static func decibels(_ value: Double) -> String {
        localized("{level} dB", ["level": "\u{200E}\(Int(value.rounded()))"])
    }

    private static var defaultDevice: ChoiceRow.Choice {
        .init("default", localizedIn("sound device", "Default"))
    }

    /// Lists the sound devices asynchronously, because a sound server may respond slowly.
    private func findDevices(_ list: (any SoundDeviceList)?) {
        guard let list else { return }
        search = Task { [weak self] in
            let found = await list.devices()
            guard !Task.isCancelled else { return }
            self?.offer(found)
        }
    }

    private func offer(_ found: [SoundDevice]) {
        let others = found.filter { $0.name != Self.defaultDevice.value }
        for row in devices { row.offer([Self.defaultDevice] + others.map { .init($0.name, $0.label) }) }
    }

    /// Passes scroll events to the page, so that scrolling over a scale does not change its level.
    private func passScrollEvents(_ scale: UnsafeMutablePointer<GtkWidget>) {
        Signal.connectEvent(scale, "scroll-event") { _ in
            g_signal_stop_emission_by_name(scale, "scroll-event")
            return false
        }
    }
}

/// The field for a two-letter region code.
///
/// An invalid code is marked as an error and not saved.
@MainActor
private enum RegionField {
    static func connect(_ entry: UnsafeMutablePointer<GtkEntry>, to settings: Settings) {
        let widget: UnsafeMutablePointer<GtkWidget> = entry.cast()
        var isShowing = false
        settings.bindWritable("region", to: widget)
        settings.follow("region", until: widget) {
            let region = settings[text: "region"]
            guard region.lowercased() != text(of: entry).lowercased() else { return }
            isShowing = true
            gtk_entry_set_text(entry, region)
            isShowing = false
            mark(widget, isRegion(region))
        }
        Signal.connect(entry, "changed") {
            let region = text(of: entry)
            mark(widget, isRegion(region))
            guard !isShowing, isRegion(region), region.uppercased() != settings[text: "region"].uppercased()
            else { return }
            settings[text: "region"] = region.uppercased()
        }
    }

    private static func isRegion(_ text: String) -> Bool { text.isEmpty || Region.checked(text) != nil }

    private static func text(of entry: UnsafeMutablePointer<GtkEntry>) -> String {
        gtk_entry_get_text(entry).map { String(cString: $0) } ?? ""
    }

    private static func mark(_ widget: UnsafeMutablePointer<GtkWidget>, _ isRight: Bool) {
        let style = gtk_widget_get_style_context(widget)
        if isRight {
            gtk_style_context_remove_class(style, "error")
        } else {
            gtk_style_context_add_class(style, "error")
        }
    }
}
