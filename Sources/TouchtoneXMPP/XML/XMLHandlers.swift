// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

enum XMLHandlers {
    /// Installs the callbacks; the builder must live as long as the parser.
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

    /// Stops the parser at what a stream must not contain (RFC 6120 section 11.1), such as entities.
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

/// Returns the builder in expat's user data; nil for the calls that expat may still make after a stop.
private func current(_ data: UnsafeMutableRawPointer?) -> XMLElementBuilder? {
    guard let data else { return nil }
    let builder = Unmanaged<XMLElementBuilder>.fromOpaque(data).takeUnretainedValue()
    return builder.failure == nil ? builder : nil
}
