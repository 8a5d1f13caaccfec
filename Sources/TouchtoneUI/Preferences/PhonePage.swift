// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Phone page: number format, keys, sound and the desktop.
@MainActor
final class PhonePage: PreferencesPage {
    let widget: Widget
    private let builder: Builder
    private let reset: ResetRow
    private var outputs: [ChoiceRow] = []
    private var inputs: [ChoiceRow] = []
    private var rows: [ChoiceRow] = []
    private var search: Task<Void, Never>?
    private let region: RegionRow
    private let preview: SoundPreview
    private let desktop: DesktopGroup
    private let quiet: QuietScheduleGroup?
    private let test: MicrophoneTestRow?

    private static let keys = [
        "number-format", "region", "number-pad", "tone-set", "tone-level", "pulse-dialling", "key-click",
        "tone-plan",
        "tone-device", "microphone-device", "microphone-gain", "noise-suppression", "ring-device",
        "ring-level",
    ]

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        builder = try dependencies.layout(.phone)
        reset = ResetRow(try builder.object("reset"))
        preview = SoundPreview(dependencies.sounds)
        widget = try builder.object("page")
        desktop = try DesktopGroup(
            builder, settings: dependencies.settings, login: dependencies.login,
            shortcuts: dependencies.shortcuts)
        quiet = try dependencies.quiet.map { hours throws(GLibError) in
            try QuietScheduleGroup(dependencies.resources, hours: hours)
        }
        let page = builder
        test = try dependencies.microphone.map { monitor throws(GLibError) in
            try MicrophoneTestRow(page, monitor: monitor, settings: dependencies.settings)
        }
        region = RegionRow(
            try builder.object("region-row"), button: try builder.object("region"),
            label: try builder.object("region-name"), settings: dependencies.settings,
            choices: dependencies.regions)
        try addChoices(dependencies)
        for key in ["pulse-dialling", "key-click", "noise-suppression"] {
            dependencies.settings.bind(key, to: try builder.object(key, as: GtkWidget.self), "active")
        }
        for key in ["tone-level", "ring-level", "microphone-gain"] {
            dependencies.settings.bind(
                key, to: try builder.object("\(key)-value", as: GtkAdjustment.self), "value")
            dependencies.settings.bindWritable(key, to: try builder.object(key))
            passScrollEvents(try builder.object(key))
            Signal.connectFormat(try builder.object(key, as: GtkWidget.self)) { Self.decibels($0) }
        }
        reset.add(Self.keys + DesktopGroup.keys + [QuietScheduleGroup.key], of: dependencies.settings)
        if let quiet {
            let last: Widget = try builder.object("last")
            gtk_container_add(widget.cast(), quiet.widget)
            if let place: UnsafeMutablePointer<GtkBox> = gtk_widget_get_parent(last)?.cast() {
                gtk_box_reorder_child(place, last, -1)
            }
        }
        findDevices(dependencies.devices)
        try connectPreviews(dependencies)
    }

    private func connectPreviews(_ dependencies: PreferencesDependencies) throws(GLibError) {
        let (settings, resources) = (dependencies.settings, dependencies.resources)
        for key in ["tone-set", "tone-level", "tone-device"] { preview.connect(try button(key)) { .keys } }
        preview.connect(try button("tone-plan")) { [weak settings] in
            let plan =
                settings.flatMap { resources.tonePlan($0[text: "tone-plan"]) } ?? resources.standardTonePlan
            return plan.map { .sound(.cadence($0[.ringback]), .tones) }
        }
        for key in ["ring-device", "ring-level"] {
            preview.connect(try button(key)) { .sound(.bell, .ringer) }
        }
    }

    private func button(_ key: String) throws(GLibError) -> Widget { try builder.object("hear-\(key)") }

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
        for key in ["tone-device", "ring-device"] { outputs.append(try deviceRow(key, in: settings)) }
        inputs.append(try deviceRow("microphone-device", in: settings))
    }

    private func deviceRow(_ key: String, in settings: Settings) throws(GLibError) -> ChoiceRow {
        ChoiceRow(
            try builder.object(key), of: key, in: settings, [Self.defaultDevice],
            nameOfUnknown: { localized("{name} (not connected)", ["name": $0]) })
    }

    /// Formats a level; a left-to-right mark keeps the sign before the number in right-to-left text.
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
            let outputs = await list.devices()
            guard !Task.isCancelled else { return }
            self?.offer(outputs, in: self?.outputs ?? [])
            let inputs = await list.microphones()
            guard !Task.isCancelled else { return }
            self?.offer(inputs, in: self?.inputs ?? [])
        }
    }

    private func offer(_ found: [SoundDevice], in rows: [ChoiceRow]) {
        let others = found.filter { $0.name != Self.defaultDevice.value }
        for row in rows { row.offer([Self.defaultDevice] + others.map { .init($0.name, $0.label) }) }
    }

    /// Passes scroll events to the page, so that scrolling over a scale does not change its level.
    private func passScrollEvents(_ scale: Widget) {
        Signal.connectEvent(scale, "scroll-event") { _ in
            g_signal_stop_emission_by_name(scale, "scroll-event")
            return false
        }
    }
}
