"""Memory providers: which there are, what they are set to, and how that is changed.

Nothing of a plugin is ever run or imported here, but by `ask`, in a child process and after a
yes. `store/providers/desk.py` is the door for a window or a command; all of it may be called from
a background lane, and all that it answers are frozen values:

    from store.providers.desk import Providers

    providers = Providers(desk)         # binds home, profile and environment of this desk
    providers.catalogue()               # Catalogue: rows, the Hermes found, its rules
    providers.row("hindsight")          # Row | NotFound
    providers.form("hindsight")         # Form | Refusal; reads, never writes
    providers.plan(form, {"recall_budget": "high", "bank_id": UNSET})
                                        # SavePlan | Mistakes | Refusal; writes nothing
    providers.save(plan, wait=10.0)     # Saved | Mistakes | Refusal
    desk.undo.undo(saved.change_id)     # the journal's way back, key by key
    providers.set_secret(form, "api_key", secret)   # SecretKept | Problem | Refusal; keyring
    providers.check_use("hindsight")    # UseCheck | Refusal: what to say before using it
    providers.use("hindsight", agreed=check.digest, anyway=False)   # Used | Refusal
    providers.off()                     # Used | Refusal
    providers.check_ask("hindsight")    # AskCheck | Refusal
    providers.ask("hindsight", agreed=check.digest)     # Form | Refusal; runs the plugin

`Row` (catalogue_row.py): name, label, source, path, state, reason, active, shadowed_by, version,
description.
`source` is bundled, user, project, package or declared; `state` is active, ready, needs_config,
not_installed, shadowed, broken, not_loaded or missing; `reason` is a `Reason(code, names)` for
`gui/provider_words.py`.

`Form` (forms.py): `schema` (a `ProviderSchema`), `row`, `fields` (one `FieldState` for each field
of the schema, in its order), `files` (where its values are read and written), `locked` (a refusal
for the whole form, such as a file that does not parse, or None) and `problem` (what of its
declaration could not be read). `FieldState`: `field`, `value` (in effect; UNSET where only the
default holds; always UNSET for a secret), `stored` (as it stands where it would be saved; UNSET if
it does not stand there), `is_set`, `default` (in effect), `source` (file, config, dotenv,
environment, keyring, default, none), `place` (for a person: a path with a key), `saves_to` (for a
person; empty if nothing that we could write is read), `visible`, `problem` (a `Problem` of
schema.values, such as an option that is not in the list) and `notes` (codes, see forms.NOTES),
`locked` (why this one cannot be changed, or None).

What a person types goes to `plan` as text by key, UNSET for *unset*; keys that were not touched
are not in it. What is planned is compared with what the form showed: a value that someone else
has changed since is a `Conflict`. `SavePlan.files` has the lines of every file, secrets as •••.
A key that looks like a secret is journaled without its value and cannot be undone.
`Saved` has `changed`, `files`, `did_not_stick` (keys whose value in effect is another one, with
what wins) and `change_id`, for undo. Saving never makes a provider the active one.
"""
