// SPDX-License-Identifier: GPL-3.0-or-later

// The desktop's address books through libebook, with a view of each enabled book.

#include "CBooks.h"

#include <libebook/libebook.h>

// Everything runs on the thread of cbooks_desktop_run, in its own context. Only stop and fetch are called from others.
struct cbooks_desktop {
  cbooks_event_fn event;
  void *data;
  GMainContext *context;
  ESourceRegistry *registry;
  GHashTable *books;  // by source id
  GCancellable *cancellable;
  guint pending;  // requests without a response
  gint is_stopped;
};

typedef struct {
  cbooks_desktop *desktop;
  ESource *source;
  EBookClient *client;
  EBookClientView *view;
  GCancellable *cancellable;
  GSource *retry;
  gint64 since;    // start of the view, in microseconds
  guint failures;  // consecutive
} Book;

typedef struct {
  cbooks_desktop *desktop;
  char *book, *uid;
  unsigned long request;
} Fetch;

static void connect_book(Book *book);

static const char *id_of(const Book *book) { return e_source_get_uid(book->source); }

static void tell(cbooks_desktop *desktop, int event, const char *book, const char *uid, const char *vcard) {
  desktop->event(event, book, uid, vcard, 0, desktop->data);
}

static void book_clear(gpointer data) {
  Book *book = data;
  g_clear_object(&book->source);
  g_clear_object(&book->cancellable);
}

static void book_unref(gpointer book) { g_rc_box_release_full(book, book_clear); }

// Drops the view and the client, and cancels their requests.
static void drop_client(Book *book) {
  g_cancellable_cancel(book->cancellable);
  g_clear_object(&book->cancellable);
  if (book->retry) g_source_destroy(book->retry);
  g_clear_pointer(&book->retry, g_source_unref);
  if (book->view) g_signal_handlers_disconnect_by_data(book->view, book);
  if (book->client) g_signal_handlers_disconnect_by_data(book->client, book);
  g_clear_object(&book->view);
  g_clear_object(&book->client);
}

static gboolean on_retry(gpointer data) {
  Book *book = data;
  g_clear_pointer(&book->retry, g_source_unref);
  connect_book(book);
  return G_SOURCE_REMOVE;
}

// A request for a book restarts the service. Retry soon, then less and less often, and then give up: a book that cannot
// be opened must not keep the machine awake.
static void retry_later(Book *book) {
  static const guint seconds[] = {1, 5, 30, 300};
  if (g_get_monotonic_time() - book->since > 60 * G_USEC_PER_SEC) book->failures = 0;
  if (book->failures >= G_N_ELEMENTS(seconds)) return;
  book->retry = g_timeout_source_new_seconds(seconds[book->failures++]);
  g_source_set_callback(book->retry, on_retry, book, NULL);
  g_source_attach(book->retry, book->desktop->context);
}

static void on_died(EClient *client, gpointer data) {
  Book *book = data;
  (void)client;
  drop_client(book);
  tell(book->desktop, CBOOKS_BOOK_GONE, id_of(book), NULL, NULL);
  retry_later(book);
}

static void on_present(EBookClientView *view, const GSList *contacts, gpointer data) {
  Book *book = data;
  (void)view;
  for (const GSList *item = contacts; item; item = item->next) {
    const char *uid = e_contact_get_const(item->data, E_CONTACT_UID);
    char *vcard = e_vcard_to_string(E_VCARD(item->data), EVC_FORMAT_VCARD_30);
    if (uid && vcard) tell(book->desktop, CBOOKS_PRESENT, id_of(book), uid, vcard);
    g_free(vcard);
  }
  tell(book->desktop, CBOOKS_ROUND, id_of(book), NULL, NULL);
}

static void on_gone(EBookClientView *view, const GSList *uids, gpointer data) {
  Book *book = data;
  (void)view;
  for (const GSList *item = uids; item; item = item->next)
    tell(book->desktop, CBOOKS_GONE, id_of(book), item->data, NULL);
  tell(book->desktop, CBOOKS_ROUND, id_of(book), NULL, NULL);
}

static void on_view(GObject *source, GAsyncResult *result, gpointer data) {
  Book *book = data;
  EBookClientView *view = NULL;
  GError *error = NULL;
  book->desktop->pending--;
  const gboolean is_there = e_book_client_get_view_finish(E_BOOK_CLIENT(source), result, &view, &error);
  if (is_there && book->client == E_BOOK_CLIENT(source)) {
    book->view = g_object_ref(view);
    g_signal_connect(view, "objects-added", G_CALLBACK(on_present), book);
    g_signal_connect(view, "objects-modified", G_CALLBACK(on_present), book);
    g_signal_connect(view, "objects-removed", G_CALLBACK(on_gone), book);
    book->since = g_get_monotonic_time();
    e_book_client_view_start(view, &error);
  }
  if (error && book->client == E_BOOK_CLIENT(source)) {
    drop_client(book);
    retry_later(book);
  }
  g_clear_error(&error);
  g_clear_object(&view);
  book_unref(book);
}

static void on_client(GObject *source, GAsyncResult *result, gpointer data) {
  Book *book = data;
  GError *error = NULL;
  book->desktop->pending--;
  EClient *client = e_book_client_connect_finish(result, &error);
  (void)source;
  if (client && !g_cancellable_is_cancelled(book->cancellable) && book->cancellable && !book->client) {
    book->client = E_BOOK_CLIENT(g_object_ref(client));
    g_signal_connect(client, "backend-died", G_CALLBACK(on_died), book);
    EBookQuery *all = e_book_query_any_field_contains("");
    char *text = e_book_query_to_string(all);
    book->desktop->pending++;
    e_book_client_get_view(book->client, text, book->cancellable, on_view, g_rc_box_acquire(book));
    g_free(text);
    e_book_query_unref(all);
  } else if (error && !g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && book->cancellable) {
    drop_client(book);
    retry_later(book);
  }
  g_clear_error(&error);
  g_clear_object(&client);
  book_unref(book);
}

static void connect_book(Book *book) {
  drop_client(book);
  book->cancellable = g_cancellable_new();
  book->desktop->pending++;
  // Cached contacts are sufficient, so do not wait until the book is online.
  e_book_client_connect(book->source, (guint32)-1, book->cancellable, on_client, g_rc_box_acquire(book));
}

static void on_source_there(ESourceRegistry *registry, ESource *source, gpointer data) {
  cbooks_desktop *desktop = data;
  if (!e_source_has_extension(source, E_SOURCE_EXTENSION_ADDRESS_BOOK)
      || !e_source_registry_check_enabled(registry, source)
      || g_hash_table_contains(desktop->books, e_source_get_uid(source)))
    return;
  Book *book = g_rc_box_new0(Book);
  book->desktop = desktop;
  book->source = g_object_ref(source);
  g_hash_table_insert(desktop->books, g_strdup(e_source_get_uid(source)), book);
  connect_book(book);
}

static void on_source_gone(ESourceRegistry *registry, ESource *source, gpointer data) {
  cbooks_desktop *desktop = data;
  Book *book = g_hash_table_lookup(desktop->books, e_source_get_uid(source));
  (void)registry;
  if (!book) return;
  drop_client(book);
  tell(desktop, CBOOKS_BOOK_GONE, id_of(book), NULL, NULL);
  g_hash_table_remove(desktop->books, e_source_get_uid(source));
}

static void on_registry(GObject *source, GAsyncResult *result, gpointer data) {
  cbooks_desktop *desktop = data;
  (void)source;
  desktop->pending--;
  desktop->registry = e_source_registry_new_finish(result, NULL);
  if (!desktop->registry || g_atomic_int_get(&desktop->is_stopped)) {
    g_atomic_int_set(&desktop->is_stopped, TRUE);
    return;
  }
  g_signal_connect(desktop->registry, "source-added", G_CALLBACK(on_source_there), desktop);
  g_signal_connect(desktop->registry, "source-enabled", G_CALLBACK(on_source_there), desktop);
  g_signal_connect(desktop->registry, "source-removed", G_CALLBACK(on_source_gone), desktop);
  g_signal_connect(desktop->registry, "source-disabled", G_CALLBACK(on_source_gone), desktop);
  GList *sources = e_source_registry_list_enabled(desktop->registry, E_SOURCE_EXTENSION_ADDRESS_BOOK);
  for (GList *item = sources; item; item = item->next) on_source_there(desktop->registry, item->data, desktop);
  g_list_free_full(sources, g_object_unref);
}

cbooks_desktop *cbooks_desktop_new(cbooks_event_fn event, void *context) {
  cbooks_desktop *desktop = g_new0(cbooks_desktop, 1);
  desktop->event = event;
  desktop->data = context;
  desktop->context = g_main_context_new();
  desktop->cancellable = g_cancellable_new();
  desktop->books = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, book_unref);
  return desktop;
}

void cbooks_desktop_run(cbooks_desktop *desktop) {
  GHashTableIter books;
  gpointer book;
  g_main_context_push_thread_default(desktop->context);
  desktop->pending++;
  e_source_registry_new(desktop->cancellable, on_registry, desktop);
  while (!g_atomic_int_get(&desktop->is_stopped)) g_main_context_iteration(desktop->context, TRUE);
  g_cancellable_cancel(desktop->cancellable);
  g_hash_table_iter_init(&books, desktop->books);
  while (g_hash_table_iter_next(&books, NULL, &book)) drop_client(book);
  // Answer the pending fetches, too.
  while (desktop->pending || g_main_context_pending(desktop->context))
    g_main_context_iteration(desktop->context, TRUE);
  g_hash_table_remove_all(desktop->books);
  if (desktop->registry) g_signal_handlers_disconnect_by_data(desktop->registry, desktop);
  g_clear_object(&desktop->registry);
  g_main_context_pop_thread_default(desktop->context);
}

void cbooks_desktop_stop(cbooks_desktop *desktop) {
  g_atomic_int_set(&desktop->is_stopped, TRUE);
  g_main_context_wakeup(desktop->context);
}

static void fetch_free(gpointer data) {
  Fetch *fetch = data;
  g_free(fetch->book);
  g_free(fetch->uid);
  g_free(fetch);
}

static void answer(Fetch *fetch, EContact *contact) {
  char *vcard = contact ? e_vcard_to_string(E_VCARD(contact), EVC_FORMAT_VCARD_30) : NULL;
  fetch->desktop->event(
      CBOOKS_FETCHED, fetch->book, fetch->uid, vcard, fetch->request, fetch->desktop->data);
  g_free(vcard);
}

static void on_fetched(GObject *source, GAsyncResult *result, gpointer data) {
  Fetch *fetch = data;
  EContact *contact = NULL;
  fetch->desktop->pending--;
  e_book_client_get_contact_finish(E_BOOK_CLIENT(source), result, &contact, NULL);
  answer(fetch, contact);
  g_clear_object(&contact);
  fetch_free(fetch);
}

static gboolean on_fetch(gpointer data) {
  Fetch *fetch = data;
  Book *book = g_hash_table_lookup(fetch->desktop->books, fetch->book);
  if (book && book->client) {
    fetch->desktop->pending++;
    e_book_client_get_contact(book->client, fetch->uid, fetch->desktop->cancellable, on_fetched, fetch);
  } else {
    answer(fetch, NULL);
    fetch_free(fetch);
  }
  return G_SOURCE_REMOVE;
}

void cbooks_desktop_fetch(
    cbooks_desktop *desktop, const char *book, const char *uid, unsigned long request) {
  Fetch *fetch = g_new0(Fetch, 1);
  fetch->desktop = desktop;
  fetch->book = g_strdup(book);
  fetch->uid = g_strdup(uid);
  fetch->request = request;
  GSource *source = g_idle_source_new();
  g_source_set_callback(source, on_fetch, fetch, NULL);
  g_source_attach(source, desktop->context);
  g_source_unref(source);
}

void cbooks_desktop_free(cbooks_desktop *desktop) {
  g_clear_object(&desktop->cancellable);
  g_hash_table_unref(desktop->books);
  g_main_context_unref(desktop->context);
  g_free(desktop);
}
