// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// The composition of the answering machine: its settings, its greeting, and what the phone shows of it.
@MainActor
enum MachineComposition {
    static func connect(
        _ machine: AnsweringMachine?, phone: Phone, lock: Lock, settings: Settings, resources: Resources,
        voice: VoiceMessages
    ) {
        // An older schema has none of the settings.
        guard let machine, settings.has("answering-machine") else { return }
        let follow: @MainActor () -> Void = { [weak settings, weak machine] in
            guard let settings, let machine else { return }
            machine.rules = rules(settings, lock: lock)
        }
        for key in [
            "answering-machine", "answering-after", "answering-whom", "answering-length", "answering-aloud",
            "recording-tone",
        ] {
            settings.follow(key, follow)
        }
        machine.save = { [weak settings] in settings?[flag: "answering-machine"] = $0 }
        machine.openGreeting = { [weak settings] in
            let own = settings?[text: "answering-greeting"] ?? ""
            return open(own) ?? resources.greeting(languages: Gettext.languages).flatMap(open)
        }
        let recordings = machine.recordings
        let show: @MainActor () -> Void = { [weak phone, weak recordings] in
            // A locked phone shows nothing of recordings.
            phone?.unheardMessages = lock.isLocked ? 0 : recordings?.unheard ?? 0
        }
        recordings.observe(by: phone) { if $0 == .all { show() } }
        lock.observe(by: machine) { [weak voice] in
            follow()
            show()
            guard lock.isLocked, let item = voice?.activity.playback?.item else { return }
            if case .message = item { return }
            voice?.stop()
        }
    }

    private static func rules(_ settings: Settings, lock: Lock) -> MachineRules {
        var rules = MachineRules()
        rules.isOn = settings[flag: "answering-machine"]
        rules.delay = .seconds(settings[count: "answering-after"])
        rules.callers = settings[text: "answering-whom"] == "unknown" ? .unknown : .everyone
        rules.limit = .seconds(settings[count: "answering-length"])
        rules.isAloud = settings[flag: "answering-aloud"]
        rules.isLocked = lock.isLocked
        rules.hasRecordingTone = settings[flag: "recording-tone"]
        return rules
    }

    /// Opens a greeting; nil for no path, and for anything but a file.
    private static func open(_ path: String) -> OpenFile? {
        guard path.hasPrefix("/") else { return nil }
        // Do not wait for the writer of a pipe.
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = OpenFile(descriptor) { close($0) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return file
    }
}
