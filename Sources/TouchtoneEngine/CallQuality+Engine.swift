// SPDX-License-Identifier: GPL-3.0-or-later

public import SIPMessages
public import TouchtoneCore

extension CallQuality {
    /// Reads the quality that the engine has measured.
    public init(_ quality: SIPQuality) {
        self.init(
            codec: PlainText.line(quality.codec, maximum: 100),
            encryption: PlainText.line(quality.encryption, maximum: 100),
            loss: quality.loss, jitter: quality.jitter,
            roundTrip: quality.roundTrip == 0 ? nil : quality.roundTrip)
    }
}
