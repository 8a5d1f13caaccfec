// SPDX-License-Identifier: GPL-3.0-or-later

/// A mobile phone of the user that is a line.
public struct MobilePhone: Hashable, Sendable, Identifiable {
    /// The id of its line.
    public let id: String
    public let name: String
    /// Whether it is connected now.
    public let isConnected: Bool
    /// The charge of its battery, 0 to 100; nil if it is not known.
    public let battery: Int?

    public init(id: String, name: String, isConnected: Bool, battery: Int?) {
        (self.id, self.name, self.isConnected, self.battery) = (id, name, isConnected, battery)
    }
}

/// The mobile phones of the user that are lines, or were chosen as one.
@MainActor
public protocol MobilePhones: AnyObject {
    var phones: [MobilePhone] { get }

    /// Whether the desktop offers phones; nil before that is known.
    var isOffered: Bool? { get }

    /// Begins to look for phones.
    func start()

    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void)
}
