// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Imports contacts from vCard files, exports them, and reports the progress.
@MainActor
final class ContactImportExport {
    enum State: Hashable {
        case idle
        /// A file is being read; the number of contacts is not known yet.
        case reading
        /// The first contacts of the given total are saved.
        case adding(Int, of: Int)
        case writing
    }

    private(set) var state = State.idle { didSet { if state != oldValue { onState?() } } }
    var onState: (@MainActor () -> Void)?
    /// The observer of the end, with the result as text and whether the operation failed.
    var onEnd: (@MainActor (_ text: String, _ isFailure: Bool) -> Void)?

    private let book: ContactBook
    private let vCards: any VCardCoding
    private weak var navigator: (any Navigator)?
    private var isCancelled = false

    /// The number of contacts in one transaction; a cancelled import stops between two.
    private static let batchSize = 500

    init(book: ContactBook, vCards: any VCardCoding, navigator: (any Navigator)?) {
        (self.book, self.vCards, self.navigator) = (book, vCards, navigator)
    }

    /// Stops an import after the current transaction; contacts that are already saved stay.
    func cancel() { isCancelled = true }

    // MARK: - Import

    func importCards() async {
        guard state == .idle else { return }
        let kind = FileDialog.Kind(
            localized("vCards"), types: ["text/vcard", "text/x-vcard", "text/directory"],
            allFiles: localized("All Files"))
        let request = FileDialog.Request(
            opening: localized("Import vCards"), verb: localized("_Import"), kind: kind)
        guard let file = await navigator?.askFile(request) else { return }
        await importCards(from: file.uri)
    }

    /// Imports the contacts of a file; does nothing while another operation is in progress.
    func importCards(from uri: String) async {
        guard state == .idle else { return }
        (state, isCancelled) = (.reading, false)
        var result = Result()
        do {
            let bytes = try await Files.read(uri, maximum: VCardError.maximumFileSize)
            let read = try await vCards.read(bytes)
            (result.unreadable, result.photosLeftOut) = (read.unreadable, read.photosLeftOut)
            (result.unknownCharsets, result.lists) = (read.unknownCharsets, read.lists)
            result.total = read.contacts.count
            try await save(read.contacts, &result)
            end(result.text)
        } catch {
            end(result.added > 0 ? "\(result.text) \(Self.text(error))" : Self.text(error), isFailure: true)
        }
    }

    private func save(_ contacts: [NewContact], _ result: inout Result) async throws(StoreError) {
        for start in stride(from: 0, to: contacts.count, by: Self.batchSize) {
            state = .adding(start, of: contacts.count)
            guard !isCancelled else { return result.isStopped = true }
            let batch = Array(contacts[start..<min(contacts.count, start + Self.batchSize)])
            let added = try await book.add(batch) { _, _ in }
            result.added += added
            result.known += batch.count - added
        }
    }

    /// The result of an import, in numbers of contacts and pictures.
    struct Result: Hashable {
        var (added, known, unreadable, photosLeftOut, total) = (0, 0, 0, 0, 0)
        var unknownCharsets = 0
        var lists = 0
        var isStopped = false

        var text: String {
            var parts = [
                added == 0
                    ? localized("No contacts imported")
                    : localizedPlural("{count} contact imported", "{count} contacts imported", added)
            ]
            if unreadable > 0 {
                parts.append(
                    localizedPlural("{count} could not be read", "{count} could not be read", unreadable))
            }
            if known > 0 {
                parts.append(
                    localizedPlural("{count} was already there", "{count} were already there", known))
            }
            if photosLeftOut > 0 {
                parts.append(
                    localizedPlural("{count} picture skipped", "{count} pictures skipped", photosLeftOut))
            }
            if lists > 0 {
                // Translators: lists of contacts in a file of contacts.
                parts.append(localizedPlural("{count} list skipped", "{count} lists skipped", lists))
            }
            if unknownCharsets > 0 {
                parts.append(
                    localizedPlural(
                        "{count} may have wrong letters because its character set is unknown",
                        "{count} may have wrong letters because their character set is unknown",
                        unknownCharsets))
            }
            let left = total - added - known
            if isStopped, left > 0 {
                parts.append(
                    localizedPlural(
                        "{count} not imported because you cancelled",
                        "{count} not imported because you cancelled", left))
            }
            // Translators: a list such as “2 contacts imported, 1 could not be read”, as a sentence.
            return localized("{results}.", ["results": localizedList(parts)])
        }

        static func == (left: Result, right: Result) -> Bool { left.text == right.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case Files.Trouble.tooLarge, VCardError.tooLarge:
            localized(
                "The file is larger than {size} MiB and was not imported.",
                ["size": localizedNumber(VCardError.maximumFileSize >> 20)])
        case Files.Trouble.failed(let reason):
            localized("The file can’t be read: {reason}", ["reason": PlainText.line(reason, maximum: 300)])
        case VCardError.noVCard: localized("This file contains no vCards.")
        case let error as StoreError: error.text(of: .contacts)
        default: localized("The file could not be processed.")
        }
    }

    // MARK: - Export

    /// Asks for a file, `name` with its extension; nil `ids` are all of the phone's own contacts.
    func exportCards(_ ids: [Contact.ID]?, as name: String) async {
        guard state == .idle else { return }
        let choice = FileDialog.Choice(
            localized("vCard version"),
            [
                .init(VCardVersion.three.rawValue, localized("3.0 (most compatible)")),
                .init(VCardVersion.four.rawValue, "4.0"),
            ])
        let request = FileDialog.Request(
            saving: localized("Export Contacts"), as: Self.fileName(name), verb: localized("_Export"),
            choice: choice)
        guard let file = await navigator?.askFile(request) else { return }
        state = .writing
        do {
            let contacts = try await book.exported(ids)
            let bytes = await vCards.write(contacts, version: VCardVersion(rawValue: file.choice) ?? .three)
            try await Files.write(bytes, to: file.uri)
            end(localizedPlural("{count} contact exported.", "{count} contacts exported.", contacts.count))
        } catch Files.Trouble.failed(let reason) {
            end(
                localized(
                    "The file can’t be written: {reason}", ["reason": PlainText.line(reason, maximum: 300)]),
                isFailure: true)
        } catch {
            end(Self.text(error), isFailure: true)
        }
    }

    private static func fileName(_ name: String) -> String {
        let plain = PlainText.line(name, maximum: 80).filter { $0 != "/" && $0 != "\\" && $0 != ":" }
        return "\(plain.isEmpty || plain.hasPrefix(".") ? "contact" : plain).vcf"
    }

    private func end(_ text: String, isFailure: Bool = false) {
        state = .idle
        onEnd?(text, isFailure)
    }
}
