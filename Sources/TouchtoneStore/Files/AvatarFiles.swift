// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// The pictures of an account’s buddies in the user’s cache, in a folder of the account’s own.
///
/// A failure of the disk is only logged: the picture is then fetched again at the next sign-in.
@MainActor
public final class AvatarFiles: AvatarStore {
    /// The address of the account to which the following calls refer; empty is no account, which has no pictures.
    public var account = "" { didSet { if account != oldValue { folder = folder(of: account) } } }
    private var folder: AvatarFolder?
    private let path: String
    private let maximumCount: Int
    private let maximumSize: Int64
    private let thread = BackgroundThread("avatars")

    /// Creates the storage in the user’s folders, without access to the disk.
    public convenience init() { self.init(UserFolders.standard) }

    init(
        _ folders: UserFolders, maximumCount: Int = AvatarFolder.standardCount,
        maximumSize: Int64 = AvatarFolder.standardSize
    ) {
        path = folders.cache + "/avatars"
        (self.maximumCount, self.maximumSize) = (maximumCount, maximumSize)
    }

    /// Returns the folder of an account, whose name does not show the address.
    private func folder(of account: String) -> AvatarFolder? {
        guard !account.isEmpty, let name = AvatarFolder.hash(Array(account.utf8)) else { return nil }
        return AvatarFolder(
            path: "\(path)/\(name)", maximumCount: maximumCount, maximumSize: maximumSize)
    }

    public func picture(named sha1: String) async -> [UInt8]? {
        let folder = folder
        return await thread.run { folder?.picture(named: sha1) }
    }

    public func keep(_ picture: [UInt8], named sha1: String) {
        guard let folder else { return }
        thread.add {
            do throws(SystemCallError) {
                try folder.keep(picture, named: sha1)
            } catch {
                DebugLog.write("cannot store a picture: \(error.reason)")
            }
        }
    }

    public func removeAll() {
        guard let folder else { return }
        // Earlier versions had the pictures of all accounts in one folder.
        let common = AvatarFolder(path: path, maximumCount: maximumCount, maximumSize: maximumSize)
        thread.add {
            folder.removeAll()
            common.removeAll()
        }
    }
}
