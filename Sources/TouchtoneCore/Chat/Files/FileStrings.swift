// SPDX-License-Identifier: GPL-3.0-or-later

/// Returns a size in bytes as text, such as “12 kB” or “3.4 MB” (decimal units, as in the GNOME HIG).
public func localizedSize(_ bytes: Int64) -> String {
    let bytes = max(0, bytes)
    guard bytes >= 1000 else {
        return localizedPlural("{count} byte", "{count} bytes", Int(bytes))
    }
    var (value, unit) = (Double(bytes) / 1000, 0)
    while value >= 999.5, unit < 2 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    let whole = localizedNumber(tenths / 10)
    let isExact = tenths >= 100 || tenths % 10 == 0
    let number =
        isExact
        ? localizedNumber(Int(value.rounded()))
        // Translators: a number with one decimal, such as 3.4; use the decimal separator of the language.
        : localizedIn(
            "number with a decimal", "{whole}.{tenth}",
            ["whole": whole, "tenth": localizedNumber(tenths % 10)])
    return switch unit {
    case 0: localized("{number} kB", ["number": number])
    case 1: localized("{number} MB", ["number": number])
    default: localized("{number} GB", ["number": number])
    }
}

extension FileProblem {
    public func text(of name: String) -> String {
        let name = PlainText.line(name, maximum: 80)
        return switch self {
        case .missing: localized("“{name}” is no longer there. Choose the file again.", ["name": name])
        case .folder:
            localized("“{name}” is a folder. Compress it, and send the archive.", ["name": name])
        case .special:
            localized("“{name}” is a device or a pipe. Choose an ordinary file.", ["name": name])
        case .empty: localized("“{name}” is empty. Choose a different file.", ["name": name])
        case .unreadable:
            localized("“{name}” can’t be read. Check its permissions.", ["name": name])
        case .unwritable(let reason):
            localized(
                "“{name}” can’t be saved ({reason}). Choose a different folder.",
                ["name": name, "reason": PlainText.line(reason)])
        }
    }
}

enum TransferText {
    static func sending(_ name: String, _ error: FileTransferError) -> String {
        let name = PlainText.line(name, maximum: 80)
        return switch error {
        case .cancelled: localized("The upload was cancelled.")
        case .invalidAddress, .privateAddress, .unsafeRedirect, .invalidResponse:
            localized("Your server gave a place for the file that can’t be used. Ask its administrator.")
        case .untrustedCertificate:
            localized("The certificate of the file server is not trusted. Ask its administrator.")
        case .unreachable, .incomplete, .declined, .offerEnded, .damaged:
            localized("The file server can’t be reached. Check your connection, and try again.")
        case .refused(let status):
            localized(
                "The file server refused the file (error {status}). Try again later.",
                ["status": String(status)])
        case .tooLarge(let limit):
            localized(
                "“{name}” is larger than {limit}, which is the most that your server takes.",
                ["name": name, "limit": localizedSize(limit)])
        case .unreadable, .unwritable: FileProblem.unreadable.text(of: name)
        case .metadataNotRemoved:
            localized(
                "The location and camera data can’t be removed from “{name}”. Convert it to JPEG or PNG.",
                ["name": name])
        }
    }

    static func tooLarge(_ name: String, size: Int64, limit: Int64) -> String {
        let (name, shown) = (PlainText.line(name, maximum: 80), localizedSize(limit))
        // Rounded, a size just over the limit looks like the limit.
        guard localizedSize(size) != shown else {
            return localizedPlural(
                "“{name}” is {count} byte larger than your server takes, which is {limit}.",
                "“{name}” is {count} bytes larger than your server takes, which is {limit}.",
                Int(size - limit), ["name": name, "limit": shown])
        }
        return localized(
            "“{name}” has {size}, but your server takes {limit} at most.",
            ["name": name, "size": localizedSize(size), "limit": shown])
    }

    static func receiving(_ error: FileTransferError) -> String {
        switch error {
        case .cancelled: localized("The download was cancelled.")
        case .invalidAddress, .invalidResponse: localized("The file’s server sent an invalid response.")
        case .privateAddress:
            localized("The file is on a private network. It is not downloaded, for your safety.")
        case .unsafeRedirect:
            localized("The file’s server redirects to an unsafe address. The file was not downloaded.")
        case .untrustedCertificate:
            localized("The certificate of the file’s server is not trusted. The file was not downloaded.")
        case .unreachable:
            localized("The file’s server can’t be reached. Check your connection, and try again.")
        case .refused(404), .refused(410):
            localized("The file is no longer on the server. Ask the sender to send it again.")
        case .refused(let status):
            localized("The file’s server refused the download (error {status}).", ["status": String(status)])
        case .tooLarge(let limit):
            localized("The file is larger than {limit}.", ["limit": localizedSize(limit)])
        case .damaged:
            localized("The file on the server is not the one that was sent. Ask the sender to send it again.")
        case .incomplete, .declined, .offerEnded:
            localized("The connection broke before the file was complete. Try again.")
        case .unreadable, .unwritable, .metadataNotRemoved:
            localized("The file can’t be saved. Check the free space of the disk.")
        }
    }

    static func offering(_ name: String, to buddy: String, _ error: FileTransferError) -> String {
        switch error {
        case .cancelled, .unreadable, .metadataNotRemoved: sending(name, error)
        case .declined: localized("{name} declined the file.", ["name": PlainText.line(buddy)])
        default:
            localized(
                "The file did not reach {name}. Try again later.", ["name": PlainText.line(buddy)])
        }
    }

    static func noDevice(of buddy: String) -> String {
        localized(
            "Your server does not take files, and {name} is not online with an app that takes them directly.",
            ["name": PlainText.line(buddy)])
    }

    static func accepting(_ error: FileTransferError) -> String {
        switch error {
        case .cancelled: declined
        case .offerEnded: localized("The file is no longer offered. Ask the sender to send it again.")
        case .damaged: localized("The file arrived damaged. Ask the sender to send it again.")
        case .unwritable: receiving(.unwritable)
        default:
            localized("The transfer ended before the file was complete. Ask the sender to send it again.")
        }
    }

    static var declined: String { localized("You declined the file.") }
    static var noAccount: String { localized("To send files, add a Jabber account.") }
    static var unsupported: String { localized("Your server does not take files.") }
    static var onlyByServer: String {
        localized("Your server does not take files, and only files on a server can be encrypted.")
    }
    static var vanished: String {
        localized("The file is no longer there. Attach it again.")
    }

    static func tooMany(_ count: Int, limit: Int) -> String {
        localizedPlural(
            "You can send at most {limit} files at once, not {count}.",
            "You can send at most {limit} files at once, not {count}.", count,
            ["limit": localizedNumber(limit)])
    }
}
