// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The services that the app consists of, which are created when the first instance starts.
public struct PhoneDependencies {
    let phone: Phone
    let lines: LineRegistry
    let lock: Lock
    let settings: Settings
    let devices: (any SoundDeviceList)?
    let sounds: any SoundOutput & ToneOutput
    let microphone: (any MicrophoneMonitor)?
    let regions: RegionChoices
    let messages: MessagingDependencies
    let directory: DirectoryDependencies
    let accounts: (any TelephoneAccounts)?
    let mobiles: (any MobilePhones)?
    let setup: (any AccountSetupSource)?
    let protection: StoreProtection?
    let quiet: QuietHours?
    /// Returns versions of libraries and the like, for a report.
    let facts: @MainActor () -> [(name: String, value: String)]

    /// Nil `devices` leave only the default device; `sounds` plays message sounds and previews.
    public init(
        phone: Phone, lines: LineRegistry, lock: Lock, settings: Settings,
        devices: (any SoundDeviceList)? = nil, sounds: any SoundOutput & ToneOutput,
        microphone: (any MicrophoneMonitor)? = nil, regions: RegionChoices,
        messages: MessagingDependencies, directory: DirectoryDependencies,
        accounts: (any TelephoneAccounts)? = nil, mobiles: (any MobilePhones)? = nil,
        setup: (any AccountSetupSource)? = nil, protection: StoreProtection? = nil, quiet: QuietHours? = nil,
        facts: @escaping @MainActor () -> [(name: String, value: String)] = { [] }
    ) {
        (self.phone, self.lines, self.lock, self.settings) = (phone, lines, lock, settings)
        (self.devices, self.sounds, self.regions, self.messages) = (devices, sounds, regions, messages)
        (self.directory, self.accounts, self.protection) = (directory, accounts, protection)
        (self.mobiles, self.quiet, self.microphone, self.setup) = (mobiles, quiet, microphone, setup)
        self.facts = facts
    }
}
