// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The keys and sessions of one account, which an engine reads and writes.
///
/// The engine writes only when an operation has succeeded. Several writes of one operation belong in one transaction,
/// with the text of the message: the caller begins it before the operation, and rolls it back if that throws an error.
public protocol KeyStorage: AnyObject {
    func ownIdentity() throws(StoreError) -> OwnIdentity

    func session(with device: DeviceAddress) throws(StoreError) -> [UInt8]?
    func saveSession(_ record: [UInt8], with device: DeviceAddress) throws(StoreError)
    func deleteSession(with device: DeviceAddress) throws(StoreError)

    func preKey(_ id: UInt32) throws(StoreError) -> [UInt8]?
    func savePreKey(_ record: [UInt8], id: UInt32) throws(StoreError)
    func deletePreKey(_ id: UInt32) throws(StoreError)

    func signedPreKey(_ id: UInt32) throws(StoreError) -> [UInt8]?
    func saveSignedPreKey(_ record: [UInt8], id: UInt32) throws(StoreError)

    func identityKey(of device: DeviceAddress) throws(StoreError) -> [UInt8]?
    func saveIdentityKey(_ key: [UInt8], of device: DeviceAddress) throws(StoreError)
}
