// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The rows that show the report for a bug, and save it once the user has seen it.
@MainActor
final class ReportGroup {
    private let show, place, save: Widget
    private let text: UnsafeMutablePointer<GtkLabel>
    private let makeReport: @MainActor () async -> String
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    /// The report that is shown; empty before.
    private var report = ""
    private var isDestroyed = false

    init(_ builder: Builder, _ dependencies: PreferencesDependencies) throws(GLibError) {
        let page: Widget = try builder.object("page")
        (show, save) = (try builder.object("report"), try builder.object("report-save"))
        (place, text) = (try builder.object("report-place"), try builder.object("report-text"))
        makeReport = dependencies.makeReport ?? { "" }
        askFile = dependencies.askFile ?? { await FileDialog.ask($0, over: page) }
        show.isVisible = dependencies.makeReport != nil
        try builder.connect("report", "activated") { [weak self] in
            Task { await self?.showReport() }
        }
        try builder.connect("report-save", "activated") { [weak self] in
            Task { await self?.saveReport() }
        }
        Signal.connect(page, "destroy") { [weak self] in self?.isDestroyed = true }
    }

    private func showReport() async {
        let report = await makeReport()
        guard !isDestroyed else { return }
        self.report = report
        gtk_label_set_text(text, report)
        place.isVisible = true
        save.isVisible = true
    }

    private func saveReport() async {
        let shown = report
        let request = FileDialog.Request(
            saving: localized("Save the Report"), as: "touchtone-report.txt")
        guard let answer = await askFile(request) else { return }
        do throws(Files.Trouble) {
            try await Files.write(Array(shown.utf8), to: answer.uri)
            tell(localized("The report is saved"))
        } catch {
            tell(Self.text(error))
        }
    }

    private static func text(_ trouble: Files.Trouble) -> String {
        guard case .failed(let reason) = trouble else { return "" }
        return localized(
            "The file could not be used: {reason}", ["reason": PlainText.line(reason, maximum: 300)])
    }

    private func tell(_ text: String) {
        guard !isDestroyed else { return }
        hdy_action_row_set_subtitle(save.cast(), text)
        save.setAnnounced(name: localized("Save the Report"), description: text)
    }
}
