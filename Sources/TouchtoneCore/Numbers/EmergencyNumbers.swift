// SPDX-License-Identifier: GPL-3.0-or-later

/// The emergency numbers where the phone is, which are dialled as typed, whatever a line's prefix and form.
@MainActor
public struct EmergencyNumbers {
    /// The numbers that are known everywhere, without a library: networks redirect them to the local service.
    public static let everywhere: Set<String> = ["112", "911"]
    /// The lengths of emergency numbers, in digits; libphonenumber knows of none below or above.
    public static let lengths = 2...6

    private let isLocal: @MainActor (String) -> Bool

    /// Creates the set; `isLocal` tells the region's numbers, and is called only for those of `lengths`.
    public init(isLocal: @escaping @MainActor (String) -> Bool = { _ in false }) { self.isLocal = isLocal }

    /// Returns whether a number is one of an emergency service; what follows a pause is for the far end.
    public func contains(_ number: DialledNumber) -> Bool {
        let main = String(number.main)
        guard Self.lengths.contains(main.utf8.count), main.allSatisfy(\.isNumber) else { return false }
        return Self.everywhere.contains(main) || isLocal(main)
    }
}
