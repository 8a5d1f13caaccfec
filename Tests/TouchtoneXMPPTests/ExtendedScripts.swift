// SPDX-License-Identifier: GPL-3.0-or-later

@testable import TouchtoneXMPP

/// The steps of a server that signs in by XEP-0388.
extension Script {
    static let bindOffer =
        "<bind xmlns='urn:xmpp:bind:0'><inline><feature var='urn:xmpp:carbons:2'/><feature var='urn:xmpp:csi:0'/><feature var='urn:xmpp:sm:3'/></inline></bind><sm xmlns='urn:xmpp:sm:3'/>"

    /// Up to the offer, in which RFC 6120 has the same mechanisms.
    static func extended(_ inline: String = bindOffer, _ mechanisms: [String] = ["PLAIN"]) -> String {
        offering(mechanisms).replacing("</stream:features>", with: offer(inline, mechanisms))
    }

    private static func offer(_ inline: String, _ mechanisms: [String]) -> String {
        let list = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        return
            "<authentication xmlns='urn:xmpp:sasl:2'>\(list)<inline>\(inline)</inline></authentication></stream:features>"
    }

    /// The accepted request, with these elements in the answer.
    static func success(
        _ parts: String, identifier: String = "grace@localhost/Touchtone.x", features: String = laterFeatures
    ) -> String {
        "send <success xmlns='urn:xmpp:sasl:2'>\(parts)<authorization-identifier>\(identifier)</authorization-identifier></success>\(features)\n"
    }

    static let laterFeatures =
        "<stream:features><sm xmlns='urn:xmpp:sm:3'/><csi xmlns='urn:xmpp:csi:0'/><ver xmlns='urn:xmpp:features:rosterver'/></stream:features>"

    static func inlineBound(id: String = "previous") -> String {
        "<bound xmlns='urn:xmpp:bind:0'><enabled xmlns='urn:xmpp:sm:3' id='\(id)' resume='true'/></bound>"
    }

    /// The end of a connection whose client has read everything.
    static let cut = "send <r xmlns='urn:xmpp:sm:3'/>\nexpect <a [^>]*>\nreset"

    /// Up to the online state, in one request.
    static let extendedOnline = extended() + "expect </authenticate>\n" + success(inlineBound())
}
