// SPDX-License-Identifier: GPL-3.0-or-later

/// The knowledge of a region's short numbers, such as those of its emergency services.
///
/// Like `AsYouTypeFormatting`, it may use a library that is loaded at the first call.
public protocol ShortNumberKnowledge: AnyObject {
    /// Returns whether a number is one of an emergency service; false if the library is not available.
    ///
    /// - Parameters:
    ///   - number: Digits, at most 40.
    ///   - region: The region from which the number is dialled (ISO 3166-1 alpha-2, upper case).
    func isEmergency(_ number: String, region: String) -> Bool
}

/// The emergency numbers where the phone is.
///
/// They are dialled as typed: no prefix and no form of a line changes them.
@MainActor
public struct EmergencyNumbers {
    /// The numbers that are known everywhere, without a library: networks redirect them to the local service.
    public static let everywhere: Set<String> = ["112", "911"]
    /// The lengths of emergency numbers, in digits; libphonenumber knows of none below or above.
    public static let lengths = 2...6

    private let isLocal: @MainActor (String) -> Bool

    /// Creates the set of the numbers that are known everywhere, and those of a region.
    ///
    /// - Parameter isLocal: A function that returns whether digits are an emergency number of the region. It is called
    ///   only for numbers of `lengths`.
    public init(isLocal: @escaping @MainActor (String) -> Bool = { _ in false }) { self.isLocal = isLocal }

    /// Returns whether a number is one of an emergency service; what follows a pause is for the far end.
    public func contains(_ number: DialledNumber) -> Bool {
        let main = String(number.text.prefix { $0 != "," && $0 != ";" })
        guard Self.lengths.contains(main.utf8.count), main.allSatisfy(\.isNumber) else { return false }
        return Self.everywhere.contains(main) || isLocal(main)
    }
}
