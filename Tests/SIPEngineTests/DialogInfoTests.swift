// SPDX-License-Identifier: GPL-3.0-or-later

import DialogInfo
import Foundation
import TestSupport
import Testing

/// Tests of documents about the dialogs of an extension (RFC 4235), and of what follows from several of them.
@Suite struct DialogInfoTests {
    private func read(_ text: String) -> DialogDocument? {
        Array(text.utf8).withUnsafeBytes { DialogDocument(xml: $0) }
    }

    private func document(_ version: Int, _ dialogs: Dialog..., isFull: Bool = true) -> DialogDocument {
        DialogDocument(version: version, isFull: isFull, entity: "sip:102@example.org", dialogs: dialogs)
    }

    private func state(_ dialogs: Dialog...) -> DialogTable.State {
        var table = DialogTable(of: "sip:102@example.org")
        _ = table.apply(
            DialogDocument(version: 1, isFull: true, entity: "sip:102@example.org", dialogs: dialogs))
        return table.state
    }

    /// The example of RFC 4235, section 6.2, with what Asterisk and Kamailio add.
    @Test func documentIsRead() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <di:dialog-info xmlns:di="urn:ietf:params:xml:ns:dialog-info" xmlns:x="urn:other"
                version="00000000007" state="partial" entity="sip:102@example.org">
              <x:dialog id="no"><x:state>early</x:state></x:dialog>
              <di:dialog id="as7d900as8" call-id="a84b4c76e66710" local-tag="1928301774" remote-tag="x"
                  direction="recipient">
                <di:state event="1xx">
                  early </di:state>
                <di:remote><di:identity display="A &lt;B&gt; &amp; &#x1F600;">sip:joe@example.org</di:identity>
                  <di:target uri="sip:joe@192.0.2.1;gr"><di:param pname="+sip.rendering" pval="no"/></di:target>
                  <x:identity>sip:mallory@example.org</x:identity>
                </di:remote>
                <di:local><di:identity>sip:102@example.org</di:identity></di:local>
              </di:dialog>
              <di:dialog id="2"/>
              <di:dialog><di:state>early</di:state></di:dialog>
              <di:dialog id="3"><di:state>unheard-of</di:state></di:dialog>
            </di:dialog-info>
            """
        let document = try #require(read(text))
        #expect(document.version == 7 && !document.isFull && document.entity == "sip:102@example.org")
        #expect(
            document.dialogs == [
                Dialog(
                    id: "as7d900as8", state: .early, callID: "a84b4c76e66710", localTag: "1928301774",
                    remoteTag: "x", remote: "sip:joe@example.org", target: "sip:joe@192.0.2.1;gr",
                    remoteName: "A <B> & 😀")
            ])
        #expect(
            document.dialogs[0].replaces == "a84b4c76e66710;to-tag=x;from-tag=1928301774;early-only")
    }

    @Test func longTextsCountAsMissing() throws {
        let long = String(repeating: "x", count: DialogDocument.maximumLength + 1)
        let text = """
            <dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="1" state="full" entity="sip:102@a">
              <dialog id="1" call-id="\(long)"><state>early</state>
                <remote><identity display="\(long)">sip:\(long)</identity></remote></dialog>
              <dialog id="\(long)"><state>early</state></dialog>
              <dialog id="2"><state>early\(long)</state></dialog>
            </dialog-info>
            """
        #expect(try #require(read(text)).dialogs == [Dialog(id: "1", state: .early)])
    }

    @Test func dialogsAreCounted() throws {
        let dialogs = (0..<200).map { "<dialog id='\($0)'><state>early</state></dialog>" }.joined()
        let text =
            "<dialog-info xmlns='urn:ietf:params:xml:ns:dialog-info' version='1' state='full' entity='a'>\(dialogs)</dialog-info>"
        #expect(try #require(read(text)).dialogs.count == DialogDocument.maximumDialogs)
    }

    /// UTF-16 is one of the encodings that expat reads by itself; others, entities and parts of documents are refused.
    @Test func otherEncodingsAreReadOrRefused() throws {
        let text =
            "<dialog-info xmlns='urn:ietf:params:xml:ns:dialog-info' version='1' state='full' entity='sip:é'/>"
        let wide = try #require(text.data(using: .utf16))
        #expect(wide.withUnsafeBytes { DialogDocument(xml: $0) }?.entity == "sip:é")
        for encoding in ["KOI8-R", "x", "UTF-7"] {
            #expect(read("<?xml version='1.0' encoding='\(encoding)'?>" + text) == nil)
        }
        #expect(read(text.replacingOccurrences(of: "é", with: "&b;")) == nil)
        #expect(read(String(text.dropLast())) == nil)
        #expect(read("") == nil)
        let bomb = """
            <!DOCTYPE d [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>\(text)
            """
        #expect(read(bomb) == nil)
    }

    @Test func stateFollowsFromAllDialogs() {
        #expect(DialogTable(of: "sip:102@example.org").state == .unknown)
        #expect(state() == .free)
        #expect(state(Dialog(id: "1", state: .terminated)) == .free)
        for state in [Dialog.State.trying, .proceeding, .early] {
            #expect(self.state(Dialog(id: "1", state: state)) == .ringing)
            #expect(self.state(Dialog(id: "1", state: state, isInitiator: true)) == .busy)
        }
        #expect(state(Dialog(id: "1", state: .confirmed)) == .busy)
        #expect(
            state(Dialog(id: "1", state: .confirmed), Dialog(id: "2", state: .early)) == .ringing,
            "a second call can be picked up")
    }

    @Test func documentsAreAppliedInTheirOrder() {
        var table = DialogTable(of: "sip:102@example.org")
        #expect(table.apply(document(5, Dialog(id: "1", state: .early))) == .applied)
        #expect(table.apply(document(5)) == .old)
        #expect(table.apply(document(4)) == .late)
        #expect(table.state == .ringing)
        #expect(table.apply(document(6, Dialog(id: "2", state: .confirmed), isFull: false)) == .applied)
        #expect(table.state == .ringing)
        #expect(table.apply(document(7, Dialog(id: "1", state: .terminated), isFull: false)) == .applied)
        #expect(table.state == .busy)
        #expect(table.apply(document(9, Dialog(id: "2", state: .terminated), isFull: false)) == .incomplete)
        #expect(table.state == .free)
        #expect(table.apply(document(12, Dialog(id: "3", state: .confirmed))) == .applied)
        #expect(table.state == .busy)
        table.clear()
        #expect(table.state == .unknown)
        #expect(table.apply(document(3, isFull: false)) == .incomplete, "what was before is not known")
    }

    /// A server that has been started again counts anew, and what comes late does not.
    @Test func versionsMayBeginAnew() {
        var table = DialogTable(of: "sip:102@example.org")
        #expect(table.apply(document(500)) == .applied)
        #expect(table.apply(document(499, Dialog(id: "1", state: .early))) == .late)
        #expect(table.apply(document(498, Dialog(id: "1", state: .early))) == .late)
        #expect(table.apply(document(501)) == .applied)
        #expect(table.apply(document(0, Dialog(id: "1", state: .early))) == .late)
        #expect(table.apply(document(1, Dialog(id: "1", state: .early), isFull: false)) == .late)
        #expect(table.apply(document(1, Dialog(id: "1", state: .early))) == .late, "it is repeated")
        #expect(table.state == .free)
        #expect(table.apply(document(2, Dialog(id: "1", state: .early))) == .applied)
        #expect(table.state == .ringing)
        #expect(table.apply(document(3, Dialog(id: "1", state: .confirmed), isFull: false)) == .applied)
        #expect(table.state == .busy)
    }

    @Test(arguments: [
        ("sip:102@example.org", true), ("sips:102@other.example", true), ("sip:102", true), ("102", true),
        ("sip:102;x=y@example.org", true), ("sip:103@example.org", false), ("", false),
        ("sip:@example.org", false),
    ])
    func hostOfEntityIsWrittenInManyWays(_ entity: String, isOwn: Bool) {
        var table = DialogTable(of: "sip:102@example.org")
        var document = document(1)
        document.entity = entity
        #expect(table.apply(document) == (isOwn ? .applied : .foreign))
    }

    @Test(arguments: ["", "a b", "a;b", "a\r\nX: y", "a,b", "a\"", "<a>", "é"])
    func fieldHoldsNothingElse(_ text: String) {
        let good = Dialog(id: "1", state: .early, callID: "a@b", localTag: "l", remoteTag: "r")
        #expect(good.replaces != nil)
        for key in [\Dialog.callID, \.localTag, \.remoteTag] {
            var bad = good
            bad[keyPath: key] = text
            #expect(bad.replaces == nil)
        }
    }

    @Test func documentsOfStrangersDoNoHarm() throws {
        let fault = try Fuzzer.run("dialogs", corpus: "dialogs", seconds: 5, options: ["-max_len=4096"])
        #expect(fault == nil)
    }
}
