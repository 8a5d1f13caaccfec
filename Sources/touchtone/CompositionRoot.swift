// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneAudio
import TouchtoneCore
import TouchtoneHeadset
import TouchtoneNumbers
import TouchtoneStore
import TouchtoneTel
import TouchtoneUI

/// The composition root: creates the parts of the program, connects them, and applies the settings.
@MainActor
enum CompositionRoot {
    static func make(resources: Resources) throws(GLibError) -> PhoneDependencies {
        guard RunningProgram.claim() else {
            throw GLibError(
                domain: "touchtone",
                message: localized(
                    "Touchtone is already running, but can’t be reached without the desktop’s message bus. Quit it first."
                ))
        }
        let settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        let reference = PhoneReference()
        let tones = AudioEngine(device: settings[text: "tone-device"], debug: DebugLog.write) { notice in
            // The engine calls this on one of its own threads.
            Task { @MainActor in reference.phone?.soundNotice(notice) }
        }
        let clock = MainLoopScheduler()
        let exchange = PracticeExchange(
            clock: clock, sounds: tones, echo: tones, plan: { reference.phone?.calls.tonePlan },
            time: LocalTime.now, machine: PracticeMachine())
        let (tel, library) = (TelLine(ownEntry: Resources.applicationID + ".desktop"), PhoneNumberLibrary())
        let lines = LineRegistry(fallback: exchange)
        lines.add(tel)
        let region: @MainActor () -> String = { [weak settings] in
            Region.checked(settings?[text: "region"] ?? "") ?? Region.from(locale: locale)
        }
        func rules(_ line: String) -> @MainActor () -> DialRules {
            LineRules.source(of: line, resources: resources, library: library, region: region)
        }
        (tel.makeRules, exchange.makeRules) = (rules(tel.id), rules(exchange.id))
        let engine = SIPComposition.makeEngine(settings)
        let accounts = SIPComposition.make(
            engine: engine, settings: settings, lines: lines, resources: resources, rules: rules)
        let mobiles = MobileComposition.make(settings, lines: lines, rules: rules)
        let chooser = LineChooser(lines, setting: settings[text: "dial-line"])
        let phone = Phone(
            tones: tones, formatter: NumberFormatter(library: library), clock: clock, line: chooser.chosen)
        reference.phone = phone
        phone.calls.acceptCalls(from: lines)
        phone.calls.emergency = EmergencyNumbers { library.isEmergency($0, region: region()) }
        phone.mustChooseLine = { [weak settings, weak lines, weak tel] in
            guard let settings, let lines, let tel, settings.isWritable("dial-line") else { return false }
            let hasChoice = lines.lines.contains { ($0 === tel || $0.isMobile) && $0.state == .available }
            return settings[text: "dial-line"].isEmpty && lines.accounts.isEmpty && hasChoice
        }
        phone.isPracticeAlone = { [weak lines] line in
            guard let lines, line == exchange.id, lines.accounts.isEmpty else { return false }
            return !lines.lines.contains {
                $0 !== exchange && $0.callsNumbers && $0.state == .available
            }
        }
        phone.findLineForHelp = { [weak lines, weak chooser] in
            guard let lines, let chooser else { return nil }
            return LineChooser.lineForHelp(of: lines, chosen: chooser.chosen)
        }
        chooser.observe(by: phone) { [weak phone, weak chooser] in
            if let chooser { phone?.line = chooser.chosen }
        }
        phone.lineForAddresses = { [weak lines, weak chooser] in
            guard let lines, let chooser else { return nil }
            return LineChooser.lineForSIP(of: lines, chosen: chooser.chosen)
        }
        // The label of an account's line says whether it is connected, and any line may have news of calls.
        lines.observe(by: phone) { [weak phone] _ in phone?.lineStateChanged() }
        settings.follow("dial-line") { [weak settings] in
            if let settings { chooser.setting = settings[text: "dial-line"] }
        }
        SoundSettings.follow(settings, phone: phone, tones: tones, resources: resources)
        BlockListSettings.follow(settings, calls: phone.calls, library: library, region: region)
        let quiet = QuietSettings.make(settings, calls: phone.calls, clock: clock)
        followFormat(settings, phone: phone)
        let headset = Headset(phone)
        settings.follow("headset-keys") { [weak settings] in
            if let settings { headset.isOn = settings[flag: "headset-keys"] }
        }
        let lock = Lock(
            store: PasscodeVault(), clock: MainLoopScheduler(), boot: SystemBootClock(), sounds: tones)
        let store = SQLiteStore()
        let voice = VoiceMessages(device: tones, calls: phone.calls, clock: clock)
        let calls = JabberCallComposition(
            engine: engine, lines: lines, callers: phone.calls.callers, settings: settings, library: library,
            region: region)
        let messages = ChatComposition.make(
            settings: settings, resources: resources, store: store, voice: voice, calls: calls
        ) { [weak phone, weak lines] ended in
            // One incoming call at a time is enough.
            guard phone?.calls.incoming == nil else { return }
            exchange.call(from: PracticeExchange.operatorNumber) {
                if lines?.accounts.isEmpty == true { ended() }
            }
        }
        let directory = DirectoryComposition.make(store: store, phone: phone, settings: settings)
        MachineComposition.connect(
            directory.machine, phone: phone, lock: lock, settings: settings, resources: resources,
            voice: voice)
        DirectoryComposition.connect(
            directory, JabberLines(lines, messages.messenger), messages.messenger, phone: phone)
        ChatComposition.connect(
            messages.messenger, phone: phone, contacts: directory.contacts, settings: settings,
            library: library, region: region)
        SIPComposition.connect(
            accounts, engine: engine, settings: settings, phone: phone, directory: directory)
        return PhoneDependencies(
            phone: phone, lines: lines, lock: lock, settings: settings, devices: ALSADeviceList(),
            sounds: tones, microphone: tones,
            regions: RegionChoices(
                system: Region.from(locale: locale), version: { library.version },
                list: { library.regions(language: language) }),
            messages: messages, directory: directory, accounts: accounts, mobiles: mobiles,
            setup: WebSetupSource(WebComposition.transfers(), clock: clock), protection: store.protection,
            quiet: quiet, facts: { DiagnoseCommand.facts(library) })
    }

    /// The user's locale for telephone numbers, looked up in the order that POSIX defines.
    private static var locale: String? {
        let names = ["LC_ALL", "LC_TELEPHONE", "LANG"]
        return names.lazy.compactMap { g_getenv($0) }.map { String(cString: $0) }.first { !$0.isEmpty }
    }

    /// The user's language for texts, such as `de_DE.UTF-8`.
    private static var language: String {
        g_get_language_names()?.pointee.map { String(cString: $0) } ?? ""
    }

    private static func followFormat(_ settings: Settings, phone: Phone) {
        for key in ["number-format", "region"] {
            settings.follow(key) { [weak settings] in
                guard let settings else { return }
                phone.format = NumberFormat(
                    named: settings[text: "number-format"], region: settings[text: "region"],
                    locale: locale)
            }
        }
    }
}

/// A reference to the phone for closures that are created before it.
@MainActor
private final class PhoneReference {
    weak var phone: Phone?
}
