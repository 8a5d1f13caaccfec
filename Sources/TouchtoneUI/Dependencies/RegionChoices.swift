// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The regions that the setting `region` can name.
@MainActor
public struct RegionChoices {
    /// The region of the system's locale, which an empty setting stands for.
    let system: String
    /// Returns the regions in alphabetical order, in the user's language; empty if their names are not available.
    let list: @MainActor () -> [ListedRegion]

    /// Returns the version of the library that knows the numbering plans; nil if it is not known.
    let version: @MainActor () -> String?

    public init(
        system: String, version: @escaping @MainActor () -> String? = { nil },
        list: @escaping @MainActor () -> [ListedRegion]
    ) {
        (self.system, self.version, self.list) = (system, version, list)
    }
}
