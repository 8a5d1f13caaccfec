// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Reads contacts from files of vCards and writes them to such, and says how far it is.
@MainActor
final class ContactImportExport {
    /// What goes on.
    enum State: Hashable {
        case idle
        /// A file is read, and nobody knows yet how much is in it.
        case reading
        /// So many contacts of so many are kept.
        case adding(Int, of: Int)
        /// A file is written.
        case writing
    }

    private(set) var state = State.idle { didSet { if state != oldValue { onState?() } } }
    /// `state` is another.
    var onState: (@MainActor () -> Void)?
    /// It has ended: what came of it, in words, and whether that is what was wanted.
    var onEnd: (@MainActor (_ words: String, _ isFailure: Bool) -> Void)?

    private let book: ContactBook
    private let vCards: any VCardCoding
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    private var isCancelled = false

    /// How many contacts are kept at a time: between, it can be cancelled.
    private static let piece = 500

    init(
        book: ContactBook, vCards: any VCardCoding,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    ) {
        (self.book, self.vCards, self.askFile) = (book, vCards, askFile)
    }

    /// Ends what goes on, as soon as that can be; what is kept by then stays.
    func cancel() { isCancelled = true }
}

// MARK: - In

extension ContactImportExport {
    /// Asks for a file, and keeps the contacts in it.
    func importCards() async {
        guard state == .idle else { return }
        let kind = FileDialog.Kind(
            localized("vCards"), types: ["text/vcard", "text/x-vcard", "text/directory"])
        let request = FileDialog.Request(
            opening: localized("Import vCards"), verb: localized("_Import"), kind: kind)
        guard let file = await askFile(request) else { return }
        await importCards(from: file.uri)
    }

    /// Keeps the contacts in a file.
    func importCards(from uri: String) async {
        guard state == .idle else { return }
        (state, isCancelled) = (.reading, false)
        var result = Result()
        do {
            let bytes = try await Files.read(uri, maximum: VCardError.maximumFileSize)
            let read = try await vCards.read(bytes)
            (result.unreadable, result.photosLeftOut) = (read.unreadable, read.photosLeftOut)
            result.total = read.contacts.count
            try await keep(read.contacts, &result)
            end(result.words)
        } catch {
            end(
                result.added > 0 ? "\(result.words) \(Self.words(error))" : Self.words(error), isFailure: true
            )
        }
    }

    private func keep(_ contacts: [NewContact], _ result: inout Result) async throws(StoreError) {
        for start in stride(from: 0, to: contacts.count, by: Self.piece) {
            state = .adding(start, of: contacts.count)
            guard !isCancelled else { return result.isStopped = true }
            let piece = Array(contacts[start..<min(contacts.count, start + Self.piece)])
            let added = try await book.add(piece) { _, _ in }
            result.added += added
            result.known += piece.count - added
        }
    }

    /// What came of an import.
    struct Result: Hashable {
        var (added, known, unreadable, photosLeftOut, total) = (0, 0, 0, 0, 0)
        var isStopped = false

        /// In words.
        var words: String {
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

        static func == (left: Result, right: Result) -> Bool { left.words == right.words }
        func hash(into hasher: inout Hasher) { hasher.combine(words) }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case Files.Trouble.tooLarge, VCardError.tooLarge:
            localized(
                "The file is larger than {size} MiB and was not imported.",
                ["size": localizedNumber(VCardError.maximumFileSize >> 20)])
        case Files.Trouble.failed(let reason):
            localized("The file can’t be read: {reason}", ["reason": PlainText.line(reason, maximum: 300)])
        case VCardError.noVCard: localized("This file contains no vCards.")
        case let trouble as StoreError: trouble.text(of: .contacts)
        default: localized("The file could not be processed.")
        }
    }
}

// MARK: - Out

extension ContactImportExport {
    /// Asks for a name, and writes contacts there.
    ///
    /// - Parameters:
    ///   - ids: which; nil is all of the phone's own.
    ///   - name: of the file.
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
        guard let file = await askFile(request) else { return }
        state = .writing
        do {
            let contacts = try await book.exported(ids)
            let bytes = await vCards.write(
                contacts, version: VCardVersion(rawValue: file.choice) ?? .three)
            try await Files.write(bytes, to: file.uri)
            end(localizedPlural("{count} contact exported.", "{count} contacts exported.", contacts.count))
        } catch Files.Trouble.failed(let reason) {
            end(
                localized(
                    "The file can’t be written: {reason}", ["reason": PlainText.line(reason, maximum: 300)]),
                isFailure: true)
        } catch {
            end(Self.words(error), isFailure: true)
        }
    }

    private static func fileName(_ name: String) -> String {
        let plain = PlainText.line(name, maximum: 80).filter { $0 != "/" && $0 != "\\" && $0 != ":" }
        return "\(plain.isEmpty || plain.hasPrefix(".") ? "contact" : plain).vcf"
    }

    private func end(_ words: String, isFailure: Bool = false) {
        state = .idle
        onEnd?(words, isFailure)
    }
}
