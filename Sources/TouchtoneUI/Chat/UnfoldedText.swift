// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The parts of a long message that is shown in full.
struct UnfoldedText {
    let parts: [Substring]
    /// The block in which each part begins.
    private let blocks: [TextBlock]

    init(_ text: String, emoticons: Emoticons) {
        parts = LongText.parts(of: text)
        var (blocks, block): ([TextBlock], TextBlock) = ([], TextBlock())
        for part in parts {
            blocks.append(block)
            _ = MessagePiece.styledPieces(of: String(part), emoticons: emoticons, block: &block)
        }
        self.blocks = blocks
    }

    func block(of part: Int) -> TextBlock { blocks.indices.contains(part) ? blocks[part] : TextBlock() }
}
