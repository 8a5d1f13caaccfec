// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneAudio
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneSIP
import TouchtoneUI

/// `touchtone --diagnose`: prints the report of the running phone, or one of what is installed.
@MainActor
enum DiagnoseCommand {
    static func run(_ resources: Resources) async throws(CommandFailure) {
        do throws(GLibError) {
            var report: PhoneReport
            // Without a bus, no phone can be asked.
            if let phone = try? await RunningPhone.find() {
                report = PhoneReport(after: try await phone.ask("Report")[0]?.string ?? "")
            } else {
                report = try self.report(resources)
            }
            let devices = ALSADeviceList()
            report.add(await devices.devices(), await devices.microphones())
            print(report.text, terminator: "")
        } catch {
            throw CommandFailure(error.message, status: .failed)
        }
    }

    /// Returns the versions of what the program loads while it runs.
    static func facts(_ library: PhoneNumberLibrary) -> [(name: String, value: String)] {
        let sip = InstalledProgram.path(of: "touchtone-sip") == nil ? "" : "installed"
        return [("libphonenumber", library.version ?? ""), ("touchtone-sip", sip)]
    }

    private static func report(_ resources: Resources) throws(GLibError) -> PhoneReport {
        var report = PhoneReport(version: Main.version, facts: facts(PhoneNumberLibrary()))
        let settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        report.addAccounts(
            sip: AccountID.ids(in: settings[list: "sip-accounts"]).count,
            jabber: AccountID.ids(in: settings[list: "jabber-accounts"]).count)
        return report
    }
}
