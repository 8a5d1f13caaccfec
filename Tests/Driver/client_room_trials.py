# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tried with another client in a room. `client_trials.py` has what is tried one to one."""

from __future__ import annotations

import pointer
from accessibility import State, wait_until
from client_trials import (
    ARRIVES, Bench, add, be_answered, be_corrected, be_liked, correct, react, reply,
)
from messages import expect_buddy, said
from phone import BUTTONS, expect

ROOM, _OTHER_ROOM = "tea@rooms.localhost", "cake@rooms.localhost"


def _fill(bench: Bench, name: str, text: str, verb: str) -> None:
    """Fill in a field of a question, and answer it."""
    expect(wait_until(lambda: bench.phone.find(name, "text") is not None), f"nothing asks for {name!r}")
    entry = bench.phone.find(name, "text")
    assert entry is not None
    entry.grab_focus()
    expect(wait_until(lambda: entry.has(State.FOCUSED)), f"{name!r} does not take the focus")
    pointer.key("ctrl+a")
    pointer.write(text)
    bench.phone.button(verb).do_action("click")


def _invite(bench: Bench) -> None:
    bench.host.enter(ROOM, "Host")
    bench.session.run(bench.program, f"xmpp:{ROOM}?join")
    expect(wait_until(lambda: bench.phone.find("Room", "text") is not None), "the link opens no form")
    bench.phone.button("Join").do_action("click")
    expect_buddy(bench.phone, "tea, room")
    bench.choose("Buddies", "tea, room", "Invite…")
    _fill(bench, "Address", bench.peer.address, "Invite")
    bench.get(lambda: bench.peer.was_invited(ROOM), "has no invitation")


def _be_invited(bench: Bench) -> None:
    bench.host.enter(_OTHER_ROOM, "Host")
    bench.peer.join(_OTHER_ROOM)
    bench.peer.invite(_OTHER_ROOM)
    expect(
        wait_until(lambda: any(_OTHER_ROOM in one.name for one in bench.phone.window.descendants()), ARRIVES, pause=0.1),
        "the phone shows no invitation")


add("invitation", _invite, _be_invited)


def _say_in_room(bench: Bench) -> None:
    bench.peer.join(ROOM)
    bench.show("tea")
    bench.write("here I am")
    bench.get(lambda: bench.peer.has("here I am", ROOM), "does not hear it")


def _hear_in_room(bench: Bench) -> None:
    bench.peer.send("here I am, too", ROOM)
    bench.shows("here I am, too", bench.peer.nickname)


add("room", _say_in_room, _hear_in_room)
add("room_reply", lambda bench: reply(bench, ROOM), lambda bench: be_answered(bench, ROOM))
add("room_reaction", lambda bench: react(bench, ROOM), lambda bench: be_liked(bench, ROOM))
add("room_correction", lambda bench: correct(bench, ROOM), lambda bench: be_corrected(bench, ROOM))


def _mention(bench: Bench) -> None:
    text = f"{bench.peer.nickname}: scones?"
    bench.peer.look_away()
    try:
        bench.write(text)
        bench.get(lambda: bench.peer.was_mentioned(ROOM, text), "is not notified")
    finally:
        bench.peer.open()


def _be_mentioned(bench: Bench) -> None:
    # The phone does not notify of what is in sight.
    pointer.key("F9")
    expect(wait_until(lambda: bench.phone.find("Message", "text") is None), "the panel does not close")
    try:
        bench.peer.send("ada: scones?", ROOM)
        bench.peer.desktop.wait(
            lambda shown: any("ada: scones?" in one["body"] for one in shown), "there is no notification of a mention")
    finally:
        pointer.key("F9")
        bench.show("tea")


add("mention", _mention, _be_mentioned)


def _set_topic(bench: Bench) -> None:
    for name in ("ada", bench.peer.nickname):
        bench.host.set_role(ROOM, name, "moderator")
    bench.choose("Buddies", "tea, room", "Change Topic…")
    _fill(bench, "Topic", "crumpets", "Set")
    bench.get(lambda: bench.peer.has_topic(ROOM, "crumpets"), "does not know the topic")


def _get_topic(bench: Bench) -> None:
    bench.peer.set_topic(ROOM, "muffins")
    expect(
        wait_until(lambda: any("muffins" in text for _, text in said(bench.phone)), ARRIVES, pause=0.1),
        f"nothing says the topic: {said(bench.phone)[-2:]}")


add("topic", _set_topic, _get_topic)


def _moderate(bench: Bench) -> None:
    bench.host.set_role(ROOM, "ada", "moderator")
    bench.peer.send("strong words", ROOM)
    bench.shows("strong words", bench.peer.nickname)
    bench.choose("Conversation", "strong words", "Delete for Everyone…")
    _fill(bench, "Reason", "no such words", "Delete for Everyone")
    bench.get(lambda: bench.peer.was_moderated(ROOM, "strong words"), "still has the message")


def _be_moderated(bench: Bench) -> None:
    bench.write("stronger words")
    bench.get(lambda: bench.peer.has("stronger words", ROOM), "does not hear it")
    bench.peer.moderate(ROOM, "stronger words")
    expect(
        wait_until(lambda: not any("stronger words" in text for _, text in said(bench.phone)), ARRIVES, pause=0.1),
        f"the phone still has the message: {said(bench.phone)[-2:]}")


add("moderation", _moderate, _be_moderated)
