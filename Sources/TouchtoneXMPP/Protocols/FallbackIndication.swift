// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The marks of what a message’s body says only to clients that do not know another element of the message (XEP-0428).
enum FallbackIndication {
    static let namespace = "urn:xmpp:fallback:0"
    /// The number of ranges that are read; of these, the content keeps those that it can use.
    private static let maximumRanges = 4 * MessageContent.maximumFallbacks

    /// Returns the marked ranges of a message’s body, in Unicode scalars (XEP-0426).
    ///
    /// Empty and negative ranges are left out; the others may go beyond the body.
    static func ranges(in message: Message) -> [MessageContent.Fallback] {
        var ranges: [MessageContent.Fallback] = []
        for element in message.extensions where element.isNamed("fallback", namespace) {
            guard let other = element["for"] else { continue }
            // Without a child, it applies to the whole body, and to the subject.
            let isWhole = element.children.isEmpty
            let bodies = element.children("body").lazy.compactMap(bodyRange)
            for range in isWhole ? [0..<Int.max] : Array(bodies.prefix(maximumRanges)) {
                guard ranges.count < maximumRanges else { return ranges }
                ranges.append(MessageContent.Fallback(range, for: other))
            }
        }
        return ranges
    }

    /// Creates the mark of a range.
    static func element(_ fallback: MessageContent.Fallback) -> XMLElement {
        let (start, end) = (fallback.range.lowerBound, fallback.range.upperBound)
        let body = XMLElement("body", namespace, ["start": "\(start)", "end": "\(end)"])
        return XMLElement("fallback", namespace, ["for": fallback.namespace], [body])
    }

    /// Creates the mark of the whole body.
    static func whole(for other: String) -> XMLElement {
        XMLElement("fallback", namespace, ["for": other], [XMLElement("body", namespace)])
    }

    private static func bodyRange(_ body: XMLElement) -> Range<Int>? {
        switch (body["start"], body["end"]) {
        case (nil, nil): return 0..<Int.max
        case (let start?, let end?):
            guard let start = Int(start), let end = Int(end), start >= 0, start < end else { return nil }
            return start..<end
        default: return nil
        }
    }
}
