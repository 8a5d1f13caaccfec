#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another client of the desktop's address books in Evolution Data Server.

usage: address_book.py add|change|remove|kill ...

add VCARD...        adds contacts and prints their ids
change ID VCARD     replaces a contact
remove ID           removes a contact
kill                kills the address-book service
new NAME            creates an address book with one contact and prints its id
drop BOOK           removes an address book
"""

from __future__ import annotations

import os
import signal
import sys

import gi

gi.require_version("EBook", "1.2")
gi.require_version("EBookContacts", "1.2")
gi.require_version("EDataServer", "1.2")
from gi.repository import EBook, EBookContacts, EDataServer, Gio, GLib  # noqa: E402

_NOT_AT_ALL = 0xFFFFFFFF
_PREFIX = "org.gnome.evolution.dataserver.AddressBook"


def client(source: EDataServer.Source) -> EBook.BookClient:
    return EBook.BookClient.connect_sync(source, _NOT_AT_ALL, None)


def contact(text: str) -> EBookContacts.Contact:
    return EBookContacts.Contact.new_from_vcard(text)


def kill() -> None:
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def ask(method: str, arguments: GLib.Variant | None) -> GLib.Variant:
        name = "org.freedesktop.DBus"
        return bus.call_sync(name, "/", name, method, arguments, None, 0, -1, None).unpack()[0]

    for name in ask("ListNames", None):
        if name.startswith(_PREFIX) or ".Subprocess.Backend.AddressBook" in name:
            os.kill(ask("GetConnectionUnixProcessID", GLib.Variant("(s)", (name,))), signal.SIGKILL)


def main() -> None:
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "kill":
        return kill()
    registry = EDataServer.SourceRegistry.new_sync(None)
    book = registry.ref_builtin_address_book()
    if command == "add":
        _, ids = client(book).add_contacts_sync([contact(text) for text in arguments], 0, None)
        print(*ids, sep="\n")
    elif command == "change":
        changed = contact(arguments[1])
        changed.set_property("id", arguments[0])
        client(book).modify_contact_sync(changed, 0, None)
    elif command == "remove":
        client(book).remove_contact_by_uid_sync(arguments[0], 0, None)
    elif command == "new":
        source = EDataServer.Source.new(None, None)
        source.set_display_name(arguments[0])
        source.set_parent("local-stub")
        source.get_extension("Address Book").set_backend_name("local")
        registry.commit_source_sync(source, None)
        client(registry.ref_source(source.get_uid())).add_contact_sync(
            contact(f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:In {arguments[0]}\r\nEND:VCARD"), 0, None
        )
        print(source.get_uid())
    elif command == "drop":
        registry.ref_source(arguments[0]).remove_sync(None)


if __name__ == "__main__":
    main()
