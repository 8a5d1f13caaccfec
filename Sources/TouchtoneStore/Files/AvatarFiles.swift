// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// The pictures of buddies in the user’s cache.
///
/// A failure of the disk is only logged: the picture is then fetched again at the next sign-in.
@MainActor
public final class AvatarFiles: AvatarStore {
    private let folder: AvatarFolder
    private let thread = BackgroundThread("avatars")

    /// Creates the storage in the user’s folders, without access to the disk.
    public convenience init() { self.init(UserFolders.standard) }

    init(
        _ folders: UserFolders, maximumCount: Int = AvatarFolder.standardCount,
        maximumSize: Int64 = AvatarFolder.standardSize
    ) {
        folder = AvatarFolder(
            path: folders.cache + "/avatars", maximumCount: maximumCount, maximumSize: maximumSize)
    }

    public func picture(named sha1: String) async -> [UInt8]? {
        let folder = folder
        return await thread.run { folder.picture(named: sha1) }
    }

    public func keep(_ picture: [UInt8], named sha1: String) {
        let folder = folder
        thread.add {
            do throws(SystemCallError) {
                try folder.keep(picture, named: sha1)
            } catch {
                DebugLog.write("cannot store a picture: \(error.reason)")
            }
        }
    }

    public func removeAll() {
        let folder = folder
        thread.add { folder.removeAll() }
    }
}
