// SPDX-License-Identifier: GPL-3.0-or-later

/// The statements on the keys of devices.
///
/// The first parameter is the owner, the prefix of the account.
enum KeyStatement: SQLStatement, CaseIterable {
    case identity, setIdentity, noteKeys, removeIdentity
    case preKey, preKeys, setPreKey, removePreKey, removeOldSignedPreKeys, removeAllPreKeys
    case session, setSession, removeSession, removeSessions, removeAllSessions
    case devices, device, accounts, addDevice, setActive, setKey, setTrust, setLabel, hasVerified, seen,
        answered,
        withoutSession, forgetDevices, removeAllDevices
    case opened, addOpened, wipeOpened, dropOpened, removeAllOpened

    var sql: String {
        switch self {
        case .identity:
            """
            SELECT device, public, private, next_prekey, signed, signed_time FROM key_identity WHERE owner = ?1
            """
        case .setIdentity: "INSERT OR REPLACE INTO key_identity VALUES (?1, ?2, ?3, ?4, 1, 0, 0)"
        case .noteKeys:
            "UPDATE key_identity SET next_prekey = ?2, signed = ?3, signed_time = ?4 WHERE owner = ?1"
        case .removeIdentity: "DELETE FROM key_identity WHERE owner = ?1"
        case .preKey: "SELECT record FROM key_prekey WHERE owner = ?1 AND is_signed = ?2 AND id = ?3"
        case .preKeys: "SELECT id FROM key_prekey WHERE owner = ?1 AND is_signed = 0 ORDER BY id"
        case .setPreKey: "INSERT OR REPLACE INTO key_prekey VALUES (?1, ?2, ?3, ?4)"
        case .removePreKey: "DELETE FROM key_prekey WHERE owner = ?1 AND is_signed = 0 AND id = ?2"
        case .removeOldSignedPreKeys:
            "DELETE FROM key_prekey WHERE owner = ?1 AND is_signed = 1 AND id < ?2"
        case .removeAllPreKeys: "DELETE FROM key_prekey WHERE owner = ?1"
        case .session: "SELECT record FROM key_session WHERE owner = ?1 AND account = ?2 AND device = ?3"
        case .setSession: "INSERT OR REPLACE INTO key_session VALUES (?1, ?2, ?3, ?4)"
        case .removeSession: "DELETE FROM key_session WHERE owner = ?1 AND account = ?2 AND device = ?3"
        case .removeSessions: "DELETE FROM key_session WHERE owner = ?1 AND account = ?2"
        case .removeAllSessions: "DELETE FROM key_session WHERE owner = ?1"
        case .devices:
            "\(Self.selectDevice) WHERE owner = ?1 AND account = ?2 ORDER BY is_active DESC, device"
        case .device: "\(Self.selectDevice) WHERE owner = ?1 AND account = ?2 AND device = ?3"
        case .accounts:
            """
            SELECT account FROM key_device WHERE owner = ?1 AND device = ?2 AND key IS NOT NULL LIMIT 20
            """
        case .addDevice:
            """
            INSERT INTO key_device (owner, account, device, trust, is_active, first_seen)
            VALUES (?1, ?2, ?3, 0, ?4, ?5) ON CONFLICT DO NOTHING
            """
        case .setActive:
            "UPDATE key_device SET is_active = ?4 WHERE owner = ?1 AND account = ?2 AND device = ?3"
        case .setKey:
            """
            UPDATE key_device SET key = ?4, trust = ?5 WHERE owner = ?1 AND account = ?2 AND device = ?3
            """
        case .setTrust:
            """
            UPDATE key_device SET trust = ?5 WHERE owner = ?1 AND account = ?2 AND device = ?3 AND key = ?4
            """
        case .setLabel: "UPDATE key_device SET label = ?4 WHERE owner = ?1 AND account = ?2 AND device = ?3"
        case .hasVerified:
            "SELECT count(*) FROM key_device WHERE owner = ?1 AND account = ?2 AND trust IN (2, 4)"
        case .seen:
            """
            UPDATE key_device SET last_seen = max(coalesce(last_seen, 0), ?4), unanswered = unanswered + 1
            WHERE owner = ?1 AND account = ?2 AND device = ?3 RETURNING unanswered
            """
        case .answered:
            "UPDATE key_device SET unanswered = 0 WHERE owner = ?1 AND account = ?2 AND device = ?3 AND unanswered > 0"
        case .withoutSession:
            """
            SELECT device FROM key_device WHERE owner = ?1 AND account = ?2 AND is_active = 1 AND trust NOT IN (3, 4)
                AND NOT EXISTS (SELECT 1 FROM key_session WHERE key_session.owner = key_device.owner
                    AND key_session.account = key_device.account AND key_session.device = key_device.device)
            ORDER BY device
            """
        case .forgetDevices:
            "DELETE FROM key_device WHERE owner = ?1 AND account = ?2 AND is_active = 0 AND key IS NULL"
        case .removeAllDevices: "DELETE FROM key_device WHERE owner = ?1"
        case .opened: "SELECT account, device, key FROM key_opened WHERE owner = ?1 AND digest = ?2"
        case .addOpened: "INSERT OR REPLACE INTO key_opened VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        case .wipeOpened: "UPDATE key_opened SET key = NULL WHERE time < ?1 AND key IS NOT NULL"
        case .removeAllOpened: "DELETE FROM key_opened WHERE owner = ?1"
        case .dropOpened: "DELETE FROM key_opened WHERE time < ?1"
        }
    }

    private static let selectDevice = """
        SELECT account, device, key, trust, is_active, first_seen, last_seen, label FROM key_device
        """
}
