"""The one door to the disk: what it reads, locks, replaces, backs up and removes, and what not."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from store.files import Content, Disk, Step, backups_of, make_folder
from store.refusals import Conflict, Locked, ReadOnly, Unreadable
from tests.support.desks import Faults
from tests.support.holder import holding
from tests.support.unprivileged import Unprivileged

AS_ROOT = os.geteuid() == 0


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "MEMORY.md"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def seen(path: Path) -> Content:
    found = Disk().read(path)
    assert isinstance(found, Content)
    return found


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- Reading --------------------------------------------------------------------------------


def test_a_missing_file_is_read_as_no_file(tmp_path: Path) -> None:
    assert Disk().read(tmp_path / "none" / "MEMORY.md") == Content(
        tmp_path / "none" / "MEMORY.md", None
    )


def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    assert Disk().read(tmp_path) == Unreadable(str(tmp_path), "Is a directory")


def test_a_pipe_is_unreadable_and_nobody_waits_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert isinstance(Disk().read(tmp_path / "pipe"), Unreadable)


def test_a_file_below_a_file_is_unreadable_not_missing(file: Path) -> None:
    assert isinstance(Disk().read(file / "MEMORY.md"), Unreadable)


def test_a_ring_of_links_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert isinstance(Disk().read(tmp_path / "a"), Unreadable)


def test_a_link_is_followed_only_if_it_may_be(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    assert seen(link).data == b"old"
    assert isinstance(Disk().read(link, follow=False), Unreadable)


def test_a_file_larger_than_asked_for_is_unreadable(file: Path) -> None:
    assert isinstance(Disk().read(file, at_most=2), Unreadable)
    assert Disk().read(file, at_most=3) == Content(file, b"old")


def test_a_file_of_many_blocks_is_read_whole(file: Path) -> None:
    data = os.urandom(300_001)
    file.write_bytes(data)
    assert seen(file).data == data


def test_an_error_while_reading_is_unreadable_with_the_systems_word(file: Path) -> None:
    disk = Faults(step="read", error=OSError(errno.EIO, "Input/output error")).disk()
    assert disk.read(file) == Unreadable(str(file), "Input/output error")


# --- Replacing ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o400])
def test_a_replaced_file_keeps_its_mode(file: Path, mode: int) -> None:
    file.chmod(mode)
    assert Disk().replace(seen(file), b"new") is None
    assert file.read_bytes() == b"new"
    assert mode_of(file) == mode


@pytest.mark.skipif(not AS_ROOT, reason="only root gives files to others")
def test_a_replaced_file_keeps_its_owner(file: Path) -> None:
    os.chown(file, 65534, 65533)
    assert Disk().replace(seen(file), b"new") is None
    assert (file.stat().st_uid, file.stat().st_gid) == (65534, 65533)


@pytest.mark.skipif(not AS_ROOT, reason="only root gives files to others")
def test_a_file_whose_group_cannot_be_kept_opens_to_no_other_group(
    unprivileged: Unprivileged,
) -> None:
    folder = unprivileged.folder / "memories"
    folder.mkdir()
    file = unprivileged.give(folder) / "MEMORY.md"
    file.write_bytes(b"old")
    os.chown(file, 65534, 12345)
    file.chmod(0o660)
    done = unprivileged.run_python(
        "import sys; from pathlib import Path; from store.files import Disk\n"
        "disk, path = Disk(), Path(sys.argv[1])\n"
        "assert disk.replace(disk.read(path), b'new') is None",
        file,
    )
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == b"new"
    assert file.stat().st_gid == 65534
    assert mode_of(file) == 0o600


def test_a_new_file_and_new_folders_are_open_to_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "pending" / "memory" / "new.json"
    assert Disk().replace(Content(path, None), b"new") is None
    assert mode_of(path) == 0o600
    assert [mode_of(folder) for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]


def test_a_file_in_place_of_a_folder_is_an_error(file: Path) -> None:
    with pytest.raises(OSError, match="Not a directory"):
        make_folder(file / "below")
    assert isinstance(Disk().replace(Content(file / "new", None), b"new"), ReadOnly)


def test_a_file_that_changed_since_it_was_seen_is_left_alone(file: Path) -> None:
    before = seen(file)
    file.write_bytes(b"by another")
    assert Disk().replace(before, b"new") == Conflict(str(file))
    assert file.read_bytes() == b"by another"
    assert left_in(file.parent) == ["MEMORY.md"]


def test_a_file_that_appeared_since_is_left_alone(file: Path) -> None:
    assert Disk().replace(Content(file, None), b"new") == Conflict(str(file))
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize("step", ["read", "create", "write", "fsync", "replace"])
def test_a_refused_step_leaves_the_file_as_it_was_and_nothing_beside_it(
    file: Path, step: Step
) -> None:
    before, disk = seen(file), Faults(step=step).disk()
    assert isinstance(disk.replace(before, b"new"), ReadOnly)
    assert file.read_bytes() == b"old"
    assert left_in(file.parent) == ["MEMORY.md"]


def test_a_link_stays_and_its_file_is_replaced_where_it_lies(tmp_path: Path, file: Path) -> None:
    (tmp_path / "memories").mkdir()
    link = tmp_path / "memories" / "MEMORY.md"
    link.symlink_to(file)
    faults = Faults()
    with faults.disk().locked(link, wait=0) as held:
        assert held is None
        assert faults.disk().replace(seen(link), b"new") is None
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    # As the agent does it: the lock beside the link, the temporary file beside the real one.
    assert left_in(link.parent) == ["MEMORY.md", "MEMORY.md.lock"]
    written = [path for step, path in faults.seen if step == "write"]
    assert [path.parent for path in written] == [file.parent]


def test_a_link_into_a_place_that_is_not_there_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "MEMORY.md"
    link.symlink_to(tmp_path / "unmounted" / "MEMORY.md")
    refused = Disk().replace(seen(link), b"new")
    assert refused == ReadOnly(str(link), "No such file or directory")
    assert not (tmp_path / "unmounted").exists()


def test_a_refusal_that_passes_is_waited_for_as_on_windows(file: Path) -> None:
    faults = Faults(step="replace", error=PermissionError(errno.EACCES, "in use"), times=2)
    assert faults.disk(replace_attempts=3).replace(seen(file), b"new") is None
    assert file.read_bytes() == b"new"
    assert faults.steps.count("replace") == 3


def test_a_refusal_that_does_not_pass_is_said_after_so_many_attempts(file: Path) -> None:
    faults = Faults(step="replace", error=PermissionError(errno.EACCES, "in use"))
    refused = faults.disk(replace_attempts=3).replace(seen(file), b"new")
    assert refused == ReadOnly(str(file), "in use")
    assert faults.steps.count("replace") == 3
    assert file.read_bytes() == b"old"
    assert left_in(file.parent) == ["MEMORY.md"]


@pytest.mark.parametrize("data", [b"", b"x", b"longer than it was"])
@pytest.mark.parametrize("code", [errno.EBUSY, errno.EXDEV])
def test_a_file_that_cannot_be_renamed_over_is_rewritten_in_place(
    file: Path, data: bytes, code: int
) -> None:
    number = file.stat().st_ino
    disk = Faults(step="replace", error=OSError(code, os.strerror(code))).disk()
    assert disk.replace(seen(file), data) is None
    assert file.read_bytes() == data
    assert file.stat().st_ino == number
    assert left_in(file.parent) == ["MEMORY.md"]


def test_a_disk_that_fills_up_in_the_middle_of_a_rewrite_gets_the_old_bytes_back(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Faults(step="replace", error=OSError(errno.EBUSY, "busy")).disk()
    write, before = os.write, seen(file)
    calls = []

    def one_byte_then_full(handle: int, data: bytes) -> int:
        if os.fstat(handle).st_ino == file.stat().st_ino:
            calls.append(bytes(data))
            if len(calls) == 1:
                return write(handle, data[:1])
            if len(calls) == 2:
                assert file.read_bytes() == b"nld"
                raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    monkeypatch.setattr(os, "write", one_byte_then_full)
    assert disk.replace(before, b"new") == ReadOnly(str(file), "No space left on device")
    assert calls == [b"new", b"ew", b"old"]
    assert file.read_bytes() == b"old"


@pytest.mark.skipif(not AS_ROOT or shutil.which("mount") is None, reason="needs to mount")
def test_a_file_that_is_a_mount_is_rewritten(tmp_path: Path, file: Path) -> None:
    mounted = tmp_path / "MEMORY.md"
    mounted.touch()
    if subprocess.run(["mount", "--bind", file, mounted], check=False).returncode:
        pytest.skip("this system lets nobody mount")
    try:
        assert Disk().replace(seen(mounted), b"a longer text") is None
        assert mounted.read_bytes() == b"a longer text"
        assert Disk().replace(seen(mounted), b"short") is None
        assert file.read_bytes() == b"short"
        assert left_in(tmp_path) == ["MEMORY.md", "folder"]
    finally:
        subprocess.run(["umount", mounted], check=True)


# --- Creating and removing ------------------------------------------------------------------


def test_a_new_file_never_takes_the_place_of_another(file: Path) -> None:
    assert Disk().create(file, b"new") == ReadOnly(str(file), os.strerror(errno.EEXIST))
    assert file.read_bytes() == b"old"


def test_only_the_file_that_was_seen_is_removed(file: Path) -> None:
    before = seen(file)
    file.write_bytes(b"by another")
    assert Disk().remove(before) == Conflict(str(file))
    assert file.read_bytes() == b"by another"
    assert Disk().remove(seen(file)) is None
    assert Disk().remove(Content(file, b"by another")) == Conflict(str(file))


def test_a_refused_removal_leaves_the_file(file: Path) -> None:
    disk = Faults(step="remove", error=PermissionError(errno.EPERM, "not permitted")).disk()
    assert disk.remove(seen(file)) == ReadOnly(str(file), "not permitted")
    assert file.read_bytes() == b"old"


def test_of_a_link_the_file_is_removed_and_the_link_stays(tmp_path: Path, file: Path) -> None:
    link = tmp_path / "MEMORY.md"
    link.symlink_to(file)
    assert Disk().remove(seen(link)) is None
    assert link.is_symlink()
    assert not file.exists()


# --- Locks ----------------------------------------------------------------------------------


def test_a_lock_that_another_process_holds_is_said_after_the_wait(file: Path) -> None:
    lock = file.with_name("MEMORY.md.lock")
    with holding(lock):
        start = time.monotonic()
        with Disk().locked(file, wait=0.2) as held:
            assert held == Locked(str(lock), 0.2)
        assert 0.2 <= time.monotonic() - start < 5
    with Disk().locked(file, wait=0) as held:
        assert held is None


def test_a_lock_file_that_a_crash_left_is_no_lock(file: Path) -> None:
    lock = file.with_name("MEMORY.md.lock")
    with holding(lock) as process:
        process.kill()
        process.wait()
        assert lock.exists()
        with Disk().locked(file, wait=0) as held:
            assert held is None


def test_the_lock_file_is_never_written_and_never_removed(file: Path) -> None:
    lock = file.with_name("MEMORY.md.lock")
    for _ in range(2):
        with Disk().locked(file, wait=0) as held:
            assert held is None
        assert lock.read_bytes() == b""
    lock.write_bytes(b"left by somebody")
    with Disk().locked(file, wait=0):
        pass
    assert lock.read_bytes() == b"left by somebody"


def test_our_lock_keeps_out_filelock_and_flock_and_is_kept_out_by_them(file: Path) -> None:
    lock = file.with_name("MEMORY.md.lock")
    other = FileLock(lock, timeout=0)
    with Disk().locked(file, wait=0), pytest.raises(Timeout):
        other.acquire()
    with other, Disk().locked(file, wait=0) as held:
        assert isinstance(held, Locked)
    with Disk().locked(file, wait=0), lock.open("a+") as stream, pytest.raises(BlockingIOError):
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_two_locks_in_one_process_exclude_each_other(file: Path) -> None:
    with Disk().locked(file, wait=0) as first, Disk().locked(file, wait=0) as second:
        assert first is None
        assert isinstance(second, Locked)


def test_the_folder_of_a_lock_is_made(tmp_path: Path) -> None:
    with Disk().locked(tmp_path / "memories" / "MEMORY.md", wait=0) as held:
        assert held is None
    assert mode_of(tmp_path / "memories") == 0o700


def test_a_folder_in_place_of_the_lock_is_said_at_once(file: Path) -> None:
    file.with_name("MEMORY.md.lock").mkdir()
    with Disk().locked(file, wait=60) as held:
        assert held == ReadOnly(str(file.with_name("MEMORY.md.lock")), "Is a directory")


def test_a_link_in_place_of_the_lock_is_not_followed(file: Path) -> None:
    file.with_name("MEMORY.md.lock").symlink_to(file.with_name("elsewhere"))
    with Disk().locked(file, wait=60) as held:
        assert isinstance(held, ReadOnly)
    assert not file.with_name("elsewhere").exists()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_said_and_no_other_kind_is_used(
    file: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def no_locks(handle: int, how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with Disk().locked(file, wait=60) as held:
        assert held == ReadOnly(str(file.with_name("MEMORY.md.lock")), os.strerror(code))


def test_a_lock_whose_file_was_removed_meanwhile_is_taken_on_the_new_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, flock = file.with_name("MEMORY.md.lock"), fcntl.flock

    def removed_first(handle: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        lock.unlink()
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", removed_first)
    with Disk().locked(file, wait=0) as held:
        assert held is None
        with lock.open("a+") as stream, pytest.raises(BlockingIOError):
            flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lock_is_let_go_when_what_it_guards_raises(file: Path) -> None:
    with pytest.raises(ZeroDivisionError), Disk().locked(file, wait=0):
        raise ZeroDivisionError
    with Disk().locked(file, wait=0) as held:
        assert held is None


# --- Backups --------------------------------------------------------------------------------


def test_a_backup_is_a_copy_of_the_bytes(file: Path) -> None:
    file.write_bytes(b"one\r\n\xc2\xa7\r\ntwo\xff\r\n")
    copy = Disk("\r\n").back_up(seen(file), now=1_700_000_000.9)
    assert copy == file.with_name("MEMORY.md.bak.1700000000")
    assert copy.read_bytes() == file.read_bytes()


def test_a_second_backup_of_the_same_bytes_is_the_first_one(file: Path) -> None:
    first = Disk().back_up(seen(file), now=1)
    assert Disk().back_up(seen(file), now=99) == first
    assert left_in(file.parent) == ["MEMORY.md", "MEMORY.md.bak.1"]


def test_a_backup_never_overwrites_another_of_the_same_second(file: Path) -> None:
    file.with_name("MEMORY.md.bak.5").write_bytes(b"an older one")
    file.with_name("MEMORY.md.bak.6").mkdir()
    assert Disk().back_up(seen(file), now=5) == file.with_name("MEMORY.md.bak.7")
    assert file.with_name("MEMORY.md.bak.5").read_bytes() == b"an older one"


@pytest.mark.parametrize(("mode", "copied"), [(0o644, 0o600), (0o600, 0o600), (0o400, 0o400)])
def test_a_backup_is_never_looser_than_the_original(file: Path, mode: int, copied: int) -> None:
    file.chmod(mode)
    copy = Disk().back_up(seen(file), now=1)
    assert isinstance(copy, Path)
    assert mode_of(copy) == copied


def test_backups_are_those_with_a_number_oldest_first(file: Path) -> None:
    for ending in ("9", "10", "x", "", "²", "1.old", "٣"):
        file.with_name(f"MEMORY.md.bak.{ending}").touch()
    assert [path.name for path in backups_of(file)] == ["MEMORY.md.bak.9", "MEMORY.md.bak.10"]
    assert backups_of(file.parent / "none" / "MEMORY.md") == ()


def test_a_backup_that_cannot_be_made_is_said(file: Path) -> None:
    before = seen(file)
    assert isinstance(Faults(step="create").disk().back_up(before, now=1), ReadOnly)
    assert left_in(file.parent) == ["MEMORY.md"]
