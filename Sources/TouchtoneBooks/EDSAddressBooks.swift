// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// The address books of Evolution Data Server, used by GNOME Contacts, Evolution and others, through libebook.
///
/// If the bus has no such service, nothing is loaded and nothing happens. A book that disappears is retried a few
/// times; without the library there are no books.
@MainActor
public final class EDSAddressBooks: SystemAddressBooks {
    /// The bus name of the service that manages the address books.
    static let service = "org.gnome.evolution.dataserver.Sources5"

    public var onChange: ((AddressBooksChange) -> Void)?

    /// A callback that reports once whether the service is available, for the tests.
    package var onLookedFor: ((Bool) -> Void)?

    private let library: BooksLibrary
    private var session: EDSSession?
    private var isStarted = false

    public init(_ library: BooksLibrary) { self.library = library }

    isolated deinit { session?.stop() }

    public func start() {
        guard !isStarted else { return }
        isStarted = true
        Task { [weak self] in
            let isAvailable =
                await (try? DBusConnection.connect(to: .session))?.hasService(Self.service) ?? false
            self?.onLookedFor?(isAvailable)
            if isAvailable { self?.follow() }
        }
    }

    public func photo(of id: Contact.ID) async -> [UInt8]? {
        guard case .desktop(let book, let uid) = id, let session else { return nil }
        return await withCheckedContinuation { session.photo(book: book, uid: uid, answer: $0) }
    }

    private func follow() {
        // Loading takes longer than a frame.
        BackgroundThread.start("books") { [library, weak self] in
            let functions: BooksLibrary.Functions
            do throws(SharedLibrary.Failure) {
                functions = try library.functions()
            } catch {
                return DebugLog.write("address books: \(error.reason)")
            }
            let session = EDSSession(functions) {
                Task { @MainActor in self?.notify() }
            }
            Task { @MainActor in
                if let self { self.session = session } else { session.stop() }
            }
            session.run()
        }
    }

    private func notify() {
        for change in session?.changes() ?? [] { onChange?(change) }
    }
}
