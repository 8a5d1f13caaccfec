// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// The address books of Evolution Data Server, which GNOME Contacts, Evolution and others keep, by libebook.
///
/// Where the bus has no such service nothing is loaded and nothing happens. A book that goes away is tried again a few
/// times; where the library is missing there are no books.
@MainActor
public final class EDSAddressBooks: SystemAddressBooks {
    /// The name on the bus of the service that knows the books.
    static let service = "org.gnome.evolution.dataserver.Sources5"

    /// Told what the books have.
    public var onChange: ((AddressBooksChange) -> Void)?

    /// Told once whether the service is there, for the tests.
    package var onLookedFor: ((Bool) -> Void)?

    private let library: BooksLibrary
    private var session: EDSSession?
    private var isStarted = false

    /// Creates the books; nothing is asked of the bus yet.
    public init(_ library: BooksLibrary) { self.library = library }

    isolated deinit { session?.stop() }

    /// Looks for the service, and follows its books.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        Task { [weak self] in
            let isThere = await (try? DBusConnection.connect(to: .session))?.hasService(Self.service) ?? false
            self?.onLookedFor?(isThere)
            if isThere { self?.follow() }
        }
    }

    /// The picture of a contact of the desktop's.
    public func photo(of id: Contact.ID) async -> [UInt8]? {
        guard case .desktop(let book, let uid) = id, let session else { return nil }
        return await withCheckedContinuation { session.photo(book: book, uid: uid, answer: $0) }
    }

    private func follow() {
        // Loading takes longer than a frame.
        BackgroundThread.start("books") { [library, weak self] in
            guard let functions = try? library.functions() else { return }
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
