"""Keys: kept in the keyring of the operating system, found where they lie open, given to Hermes.

For a window or a command, on a background lane (`names`, `listing` and `look` are quick; whatever
uses a value may wait for the keyring, `check` for a process of Hermes):

    keys = desk.keys                               # store.secrets.vault.Secrets
    keys.names()                                   # Index | Refusal: names and times, no keyring
    keys.listing()                                 # KeyList: kept, finds (plain files), interrupted
    keys.backend()                                 # Backend | trouble: is there one; reads no item
    keys.set(name, cleaned(pasted).secret, may_ask=True)      # KeySet (with twins) | Refusal
    keys.clear(name, may_ask=True)                 # KeyCleared (with twins) | Refusal
    keys.set_in_dotenv(name, secret), keys.clear_in_dotenv(name)    # only by a person's wish
    keys.tighten(path)                             # a loose file mode
    keys.strays(), keys.link(stray)                # keys of a home that was moved
    plan = plan_moves(keys, names)                 # store.secrets.migrate: Moves | NotFound
    move_keys(keys, plan, may_ask=True)            # Moved(moved, left)

    way = HandoverOf(desk.home, disk=desk.disk, env=desk.env)       # store.secrets.handover
    way.look()                                     # Handover | Refusal: method, state, …
    way.apply(), way.undo()                        # Changed | Refusal
    check(desk.home, way.hermes(), names, env=desk.env)            # store.secrets.check: Checked

A trouble with the keyring is one of the values in `store.refusals.KeyringTrouble`; only `Absent`
means that there is no key. `Secret.reveal()` is for using a value; no page ever shows one.
`may_ask` lets the system ask the person to unlock, and then a call may take a minute and a half.
"""
