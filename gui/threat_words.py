"""What the agent's threat scan finds, in words that go on from "this entry". No Qt here."""

from __future__ import annotations

from gui.i18n import N_, tr

_INVISIBLE = "invisible_unicode_U+"

REASONS: dict[str, str] = {
    "prompt_injection": N_("tells the agent to ignore its instructions"),
    "sys_prompt_override": N_("claims to override the system prompt"),
    "disregard_rules": N_("tells the agent to disregard its rules"),
    "bypass_restrictions": N_("asks the agent to act as if it had no limits"),
    "html_comment_injection": N_("hides words to the agent in an HTML comment"),
    "hidden_div": N_("hides text with HTML styling"),
    "translate_execute": N_("asks to translate something and then run it"),
    "deception_hide": N_("asks to keep something from the user"),
    "role_hijack": N_("tells the agent that it is now someone else"),
    "role_pretend": N_("asks the agent to pretend to be someone else"),
    "leak_system_prompt": N_("asks for the system prompt"),
    "remove_filters": N_("asks for answers without safeguards"),
    "fake_update": N_("claims that the agent was updated"),
    "identity_override": N_("gives the agent another name"),
    "c2_node_registration": N_("tells the agent to register as a node"),
    "c2_heartbeat": N_("makes the agent report to a controller"),
    "c2_task_pull": N_("has the agent fetch tasks from elsewhere"),
    "c2_network_connect": N_("tells the agent to join a network"),
    "forced_action": N_("orders the agent to register, connect or report"),
    "anti_forensic_oneliner": N_("avoids traces: one-line commands only"),
    "anti_forensic_disk": N_("avoids traces: nothing may be written to disk"),
    "env_var_unset_agent": N_("unsets an agent's environment variable"),
    "known_c2_framework": N_("names a known attack tool"),
    "c2_explicit": N_("speaks of a C2 (remote control) system"),
    "c2_explicit_long": N_("speaks of command and control"),
    "exfil_curl": N_("sends secrets away with curl"),
    "exfil_wget": N_("sends secrets away with wget"),
    "read_secrets": N_("reads secrets"),
    "send_to_url": N_("sends something to a web address"),
    "context_exfil": N_("gives the conversation away"),
    "ssh_backdoor": N_("names the file of keys that may log in (SSH)"),
    "ssh_access": N_("names the folder of SSH keys"),
    "hermes_env": N_("names the agent's file of secrets"),
    "agent_config_mod": N_("changes an agent's instruction files"),
    "hermes_config_mod": N_("changes the agent's own settings"),
    "hardcoded_secret": N_("holds a password, key or token"),
}
"""By the agent's ids, all but those of invisible characters."""

UNKNOWN = N_("looks like an attack")
"""Of an id that a newer agent may have."""


def say_threat(threat: str) -> str:
    """Say why the agent reports the id `threat`."""
    if threat.startswith(_INVISIBLE):
        character = threat.removeprefix(_INVISIBLE)
        return tr("holds the invisible character U+{character}", character=character)
    return tr(REASONS.get(threat, UNKNOWN))
