// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

/// The C functions that expat calls.
enum XMLHandlers {
    /// Sets them; the builder has to live as long as the parser.
    static func install(in parser: OpaquePointer, for builder: XMLElementBuilder) {
        XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let name else { return }
                current(data)?.began(name, attributes)
            },
            { data, _ in current(data)?.ended() })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            current(data)?.text(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        refuse(in: parser)
    }

    /// What no stream may hold (RFC 6120 section 11.1).
    ///
    /// With the DTD go entities, and with them their expansion.
    private static func refuse(in parser: OpaquePointer) {
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            current(data)?.stop(.restricted("a document type"))
        }
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            current(data)?.stop(.restricted("an entity"))
        }
        XML_SetProcessingInstructionHandler(parser) { data, _, _ in
            current(data)?.stop(.restricted("a processing instruction"))
        }
        XML_SetCommentHandler(parser) { data, _ in current(data)?.stop(.restricted("a comment")) }
    }
}

/// The builder behind expat's user data.
///
/// After a stop expat may still make a call or two: they find nobody.
private func current(_ data: UnsafeMutableRawPointer?) -> XMLElementBuilder? {
    guard let data else { return nil }
    let builder = Unmanaged<XMLElementBuilder>.fromOpaque(data).takeUnretainedValue()
    return builder.failure == nil ? builder : nil
}
