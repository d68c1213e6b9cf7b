"""Stand-ins for what a desktop offers on the session bus, each test's bus having its own.

    python desktop_services.py notifications|tray ...

Says on standard output what is asked of it, a JSON object a line, and does on the bus what it is
told on standard input, the same way.
"""

from __future__ import annotations

import json
import os
import select
import sys
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

SERVICE = "org.freedesktop.Notifications"
NOTIFICATIONS = DBusAddress("/org/freedesktop/Notifications", interface=SERVICE)
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
# Qt learns from it what kind of value the property has.
WATCHER_XML = f"""<node><interface name="{WATCHER}">
<method name="RegisterStatusNotifierItem"><arg name="service" type="s" direction="in"/></method>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
</interface></node>"""


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


class Services:
    def __init__(self, connection: DBusConnection) -> None:
        self.connection = connection
        self.shown = 0
        self.items: list[str] = []

    def own(self, name: str) -> None:
        self.connection.bus_proxy.RequestName(name)

    # -- what programs ask -------------------------------------------------------------------

    def heed(self, call: Message) -> None:
        if call.header.message_type is not MessageType.method_call:
            return
        method = call.header.fields.get(HeaderFields.member)
        answer = getattr(self, f"_{method}", None)
        if answer is None:
            name = "org.freedesktop.DBus.Error.UnknownMethod"
            self.connection.send(new_error(call, name))
            return
        signature, body = answer(call)
        self.connection.send(new_method_return(call, signature, body))

    def _Notify(self, call: Message) -> tuple[str, tuple[Any, ...]]:
        assert call.header.fields[HeaderFields.signature] == "susssasa{sv}i"
        app, replaces, icon, title, text, actions, hints, _ = call.body
        if not replaces:
            self.shown += 1
        said = {"title": title, "text": text, "app": app, "icon": icon, "actions": actions}
        say(notify=replaces or self.shown, replaces=replaces, hints=sorted(hints), **said)
        return "u", (replaces or self.shown,)

    def _CloseNotification(self, call: Message) -> tuple[None, tuple[()]]:
        say(close=call.body[0])
        self.signal("NotificationClosed", "uu", (call.body[0], 3))
        return None, ()

    def _Introspect(self, call: Message) -> tuple[str, tuple[Any, ...]]:
        return "s", (WATCHER_XML,)

    def _Get(self, call: Message) -> tuple[str, tuple[Any, ...]]:
        return "v", (("b", True),)

    def _RegisterStatusNotifierItem(self, call: Message) -> tuple[None, tuple[()]]:
        self.items.append(call.header.fields[HeaderFields.sender])
        say(item=True)
        return None, ()

    # -- what the person does ------------------------------------------------------------------

    def signal(self, name: str, signature: str, body: tuple[Any, ...]) -> None:
        self.connection.send(new_signal(NOTIFICATIONS, name, signature, body))

    def act(self, what: dict[str, Any]) -> None:
        if "open" in what:
            self.signal("ActivationToken", "us", (what["open"], "leave-of-the-desktop"))
            self.signal("ActionInvoked", "us", (what["open"], "default"))
            self.signal("NotificationClosed", "uu", (what["open"], 2))
        elif "dismiss" in what:
            self.signal("NotificationClosed", "uu", (what["dismiss"], 2))
        elif "click" in what:
            self.ask("Activate", ITEM, "ii", (0, 0))
        elif "look" in what:
            asked = ("ss", (ITEM, "ToolTip"))
            reply = self.ask("Get", "org.freedesktop.DBus.Properties", *asked)
            say(tooltip=reply.body[0][1][2])

    def ask(self, method: str, interface: str, signature: str, body: tuple[Any, ...]) -> Message:
        item = DBusAddress("/StatusNotifierItem", bus_name=self.items[-1], interface=interface)
        serial = next(self.connection.outgoing_serial)
        self.connection.send(new_method_call(item, method, signature, body), serial=serial)
        while True:
            heard = self.connection.receive(timeout=20)
            if heard.header.fields.get(HeaderFields.reply_serial) == serial:
                return heard
            self.heed(heard)


def main(offered: list[str]) -> None:
    connection = open_dbus_connection("SESSION")
    services = Services(connection)
    if "notifications" in offered:
        services.own(SERVICE)
    if "tray" in offered:
        services.own(WATCHER)
    connection.send(message_bus.GetId())
    say(ready=True)
    orders = b""
    while True:
        ready, _, _ = select.select([connection.sock, sys.stdin], [], [])
        if connection.sock in ready:
            try:
                while True:
                    services.heed(connection.receive(timeout=0))
            except TimeoutError:
                pass
        if sys.stdin in ready:
            given = os.read(sys.stdin.fileno(), 65_536)
            if not given:
                return
            *lines, orders = (orders + given).split(b"\n")
            for line in lines:
                services.act(json.loads(line))


if __name__ == "__main__":
    main(sys.argv[1:])
