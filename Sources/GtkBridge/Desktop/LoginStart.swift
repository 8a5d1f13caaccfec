// SPDX-License-Identifier: GPL-3.0-or-later

/// The start of the program at login, as the user has chosen it in the settings.
///
/// Outside a sandbox it is an autostart entry; an entry that the user or another program changes or removes changes the
/// setting too, so that the setting always says the truth. In a sandbox, the Background portal decides.
@MainActor
public final class LoginStart {
    public enum Problem: Error, Hashable, Sendable {
        /// The desktop does not allow the program to run in the background.
        case refused
        /// Any other error, with the system's description.
        case failed(String)
    }

    /// The names of the settings.
    public struct Keys: Hashable, Sendable {
        let start: String
        /// Whether that choice has taken effect: an entry was removed meanwhile, or is not written yet.
        let isApplied: String
        /// The user's choice whether the program may run without a window.
        let background: String

        public init(start: String, isApplied: String, background: String) {
            (self.start, self.isApplied, self.background) = (start, isApplied, background)
        }
    }

    /// The problem with the start at login, until the user tries again.
    public private(set) var startProblem: Problem? { didSet { if startProblem != oldValue { onChange?() } } }
    /// The problem with running in the background, until the user tries again.
    public private(set) var backgroundProblem: Problem? {
        didSet { if backgroundProblem != oldValue { onChange?() } }
    }
    public var onChange: (@MainActor () -> Void)?

    private let settings: Settings
    private let keys: Keys
    private let file: AutostartFile
    private let portal: BackgroundPortal?
    private var isSettling = false
    private var isStale = false

    /// - Parameter portal: The portal, in a sandbox.
    public init(settings: Settings, keys: Keys, file: AutostartFile, portal: BackgroundPortal?) {
        (self.settings, self.keys, self.file, self.portal) = (settings, keys, file, portal)
    }

    /// Makes the settings take effect, now and after each change.
    public func begin() {
        guard settings.has(keys.start), settings.has(keys.isApplied) else { return }
        if portal != nil { return beginInSandbox() }
        file.onChange = { [weak self] in self?.settle() }
        settings.follow(keys.start) { [weak self] in self?.settle() }
    }

    // MARK: - Autostart Entry

    private func settle() {
        isStale = true
        guard !isSettling else { return }
        isSettling = true
        Task {
            while isStale {
                isStale = false
                await compare()
            }
            isSettling = false
        }
    }

    /// Compares the entry with the settings, and changes the one that is out of date.
    private func compare() async {
        let isOn = await file.read()?.isOn == true
        switch (settings[flag: keys.start], settings[flag: keys.isApplied], isOn) {
        case (false, false, false), (true, true, true): break
        case (true, false, false): await turn(on: true)
        case (false, true, true): await turn(on: false)
        case (true, true, false), (false, false, true):
            // Someone else has removed or written the entry.
            settings[flag: keys.isApplied] = isOn
            settings[flag: keys.start] = isOn
        case (true, false, true), (false, true, false): settings[flag: keys.isApplied] = isOn
        }
    }

    private func turn(on isOn: Bool) async {
        do throws(Files.Trouble) {
            if isOn { try await file.turnOn() } else { try await file.turnOff() }
            settings[flag: keys.isApplied] = isOn
            startProblem = nil
        } catch {
            settings[flag: keys.start] = !isOn
            startProblem = if case .failed(let reason) = error { .failed(reason) } else { .failed("") }
        }
    }

    // MARK: - Sandbox

    private func beginInSandbox() {
        settings.follow(keys.start) { [weak self] in self?.askForStart() }
        var isFirst = true
        settings.follow(keys.background) { [weak self] in
            guard let self else { return }
            // The desktop remembers what it has granted.
            if !isFirst, settings[flag: keys.background] { askForBackground() }
            isFirst = false
        }
    }

    private func askForStart() {
        let wanted = settings[flag: keys.start]
        guard wanted != settings[flag: keys.isApplied] else { return }
        startProblem = nil
        portal?.ask(autostart: wanted) { [weak self] result in
            guard let self else { return }
            let isOn = (try? result.get())?.autostart ?? !wanted
            settings[flag: keys.isApplied] = isOn
            // The user may have changed the choice while the desktop asked.
            guard settings[flag: keys.start] == wanted else { return askForStart() }
            if isOn != wanted {
                settings[flag: keys.start] = isOn
                startProblem = Self.problem(result)
            }
        }
    }

    private func askForBackground() {
        backgroundProblem = nil
        portal?.ask(autostart: settings[flag: keys.isApplied]) { [weak self] result in
            guard let self, (try? result.get())?.background != true else { return }
            settings[flag: keys.background] = false
            backgroundProblem = Self.problem(result)
        }
    }

    private static func problem(_ result: Result<BackgroundPortal.Grant, Problem>) -> Problem {
        if case .failure(let problem) = result { problem } else { .refused }
    }
}
