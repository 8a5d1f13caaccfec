// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The regions that the setting `region` can name.
@MainActor
public struct RegionChoices {
    /// The region of the system's locale, which an empty setting stands for.
    let system: String
    /// Returns the regions in alphabetical order, in the user's language; empty if their names are not available.
    let list: @MainActor () -> [ListedRegion]

    public init(system: String, list: @escaping @MainActor () -> [ListedRegion]) {
        (self.system, self.list) = (system, list)
    }
}
