// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Pictures of QR codes, made by qrencode, and what zbarimg reads in one.
public enum QRPictures {
    /// Writes a PNG of a text’s code to the folder of temporary files, and returns its path.
    ///
    /// - Parameter options: The options of qrencode, such as the size of a module and the margin.
    public static func write(_ text: String, _ options: [String] = []) throws -> String {
        try Peer.require("qrencode", package: "qrencode")
        let path = "\(try TemporaryFolders.make("touchtone-codes"))/code.png"
        // The text may be as long as a code can be, and must not look like an option.
        _ = try output(of: ["qrencode", "-8", "-l", "L", "-o", path] + options + ["--", text])
        return path
    }

    /// Returns the texts of the codes in a picture, one a line.
    public static func read(_ path: String) throws -> String {
        try Peer.require("zbarimg", package: "zbar-tools")
        return try output(of: ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
