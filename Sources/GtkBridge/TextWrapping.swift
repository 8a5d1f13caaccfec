// SPDX-License-Identifier: GPL-3.0-or-later

extension Widget {
    /// Makes a label wrap its text between words, and within a word that is longer than a line.
    ///
    /// Pango would add a hyphen there, which a link or a number does not have.
    public func wrapAnywhere() {
        let attributes =
            gtk_label_get_attributes(cast()).map { pango_attr_list_copy($0) } ?? pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_change(attributes, pango_attr_insert_hyphens_new(0))
        gtk_label_set_attributes(cast(), attributes)
        gtk_label_set_line_wrap(cast(), 1)
        gtk_label_set_line_wrap_mode(cast(), PANGO_WRAP_WORD_CHAR)
    }
}
