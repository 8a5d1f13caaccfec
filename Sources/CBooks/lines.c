// SPDX-License-Identifier: GPL-3.0-or-later

// Parses content lines of vCards with EVCard.

#include "CBooks.h"

#include <string.h>

#include <libebook-contacts/libebook-contacts.h>

// The library warns about each error in a card, sometimes with the rest of the card, which would let the sender of a
// card write to the journal.
static void be_silent(const char *domain, GLogLevelFlags level, const char *text, void *data) {
  (void)domain, (void)level, (void)text, (void)data;
}

static void silence_warnings(void) {
  static gsize done;
  if (!g_once_init_enter(&done)) return;
  g_log_set_handler("libebook-contacts", G_LOG_LEVEL_WARNING, be_silent, NULL);
  g_once_init_leave(&done, 1);
}

static void tell(int kind, const char *text, cbooks_piece_fn piece, void *context) {
  if (text) piece(kind, text, strlen(text), context);
}

static void tell_parameters(EVCardAttribute *line, cbooks_piece_fn piece, void *context) {
  // The library stores them in reverse order.
  for (GList *item = g_list_last(e_vcard_attribute_get_params(line)); item; item = item->prev) {
    tell(CBOOKS_PARAMETER, e_vcard_attribute_param_get_name(item->data), piece, context);
    for (GList *value = e_vcard_attribute_param_get_values(item->data); value; value = value->next)
      tell(CBOOKS_PARAMETER_VALUE, value->data, piece, context);
  }
}

static gboolean is_base64(EVCardAttribute *line) {
  GList *encoding = e_vcard_attribute_get_param(line, EVC_ENCODING);
  return encoding && (!g_ascii_strcasecmp(encoding->data, "b") || !g_ascii_strcasecmp(encoding->data, "base64"));
}

static void tell_values(EVCardAttribute *line, cbooks_piece_fn piece, void *context) {
  for (GList *value = e_vcard_attribute_get_values(line); value; value = value->next)
    tell(CBOOKS_VALUE, value->data, piece, context);
  if (!is_base64(line)) return;
  for (GList *value = e_vcard_attribute_get_values_decoded(line); value; value = value->next) {
    const GString *bytes = value->data;
    piece(CBOOKS_BYTES, bytes->str, bytes->len, context);
  }
}

int cbooks_read_line(const char *line, size_t length, cbooks_piece_fn piece, void *context) {
  if (!line || !piece || length > G_MAXINT || memchr(line, '\0', length) || memchr(line, '\n', length)
      || memchr(line, '\r', length) || !g_utf8_validate(line, (gssize)length, NULL))
    return 0;
  silence_warnings();
  // The line breaks replace END:VCARD. Some paths of the parser skip a character after an escape, which must not be the
  // end of the text; and END:VCARD would become the value of a line with broken parameters.
  GString *card = g_string_sized_new(length + 32);
  g_string_append(card, "BEGIN:VCARD\r\n");
  g_string_append_len(card, line, (gssize)length);
  g_string_append(card, "\r\n\r\n\r\n");
  EVCard *vcard = e_vcard_new_from_string(card->str);
  g_string_free(card, TRUE);
  GList *lines = e_vcard_get_attributes(vcard);
  if (lines) {
    tell(CBOOKS_GROUP, e_vcard_attribute_get_group(lines->data), piece, context);
    tell(CBOOKS_NAME, e_vcard_attribute_get_name(lines->data), piece, context);
    tell_parameters(lines->data, piece, context);
    tell_values(lines->data, piece, context);
  }
  g_object_unref(vcard);
  return lines != NULL;
}
