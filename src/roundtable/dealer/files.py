"""A deal as files in a folder: complete or not there at all, and no other files are touched (T25)."""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple
from unicodedata import normalize

from roundtable.core.errors import FolderError, problem, shown
from roundtable.dealer.names import MANIFEST

MADE_BY = "roundtable deal, version 1"
LARGEST_MANIFEST = 1 << 16
O_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none
O_BINARY = getattr(os, "O_BINARY", 0)  # only Windows has one


class Obstacle(NamedTuple):
    """Why no deal may go into a folder: `refusal.folder.occupied_<reason>`, and the file that is the reason."""

    reason: str
    file: str = ""


class FolderOccupied(Exception):
    """Something in the folder that is not a former deal."""

    def __init__(self, place: Path, obstacle: Obstacle) -> None:
        super().__init__(place, obstacle)
        self.place = place
        self.obstacle = obstacle


def lay_out(folder: Path, papers: Mapping[str, bytes], at: int | None = None) -> Path:
    """Put these files, and nothing else, into the folder, in place of a former deal if there is one.

    All is written beside the folder first, and put in place by renaming; whatever goes wrong, the folder stays as it
    was. Every file has the same time, `at` in seconds, and can be read by the owner's account alone.
    """
    try:
        place = Path(os.path.abspath(folder))
        require_free(place)
        beside = Path(mkdtemp(prefix=".roundtable-", dir=place.parent))
        try:
            write_all(beside / "new", papers, int(time.time()) if at is None else at)
            put_in_place(beside, place)
        finally:
            clear(beside)
    except FolderOccupied as found:
        raise occupied(found.place, found.obstacle) from found
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FolderError("folder/unwritable", folder=repr(str(folder)), reason=reason) from error
    except UnicodeEncodeError as error:
        raise FolderError("folder/unwritable", "encoding", folder=repr(str(folder))) from error
    return place


def occupied(place: Path, obstacle: Obstacle) -> FolderError:
    reason = problem("folder/occupied", obstacle.reason, folder=repr(str(place)), file=shown(obstacle.file))
    return FolderError.of([reason, problem("folder/occupied")])


# What is there already


def require_free(place: Path) -> None:
    if obstacle := in_the_way(place) or (Obstacle("here") if contains_current_folder(place) else None):
        raise FolderOccupied(place, obstacle)


def contains_current_folder(place: Path) -> bool:
    """Whether the process runs in that folder or below, so that replacing it would take its folder away."""
    here = Path.cwd().resolve()
    return place.resolve() in (here, *here.parents)


def in_the_way(place: Path) -> Obstacle | None:
    """Why no deal may go there; None where nothing is, or only a former deal."""
    if not os.path.lexists(place):
        return None
    kind = place.lstat().st_mode
    if not stat.S_ISDIR(kind):
        return Obstacle("link" if stat.S_ISLNK(kind) else "no_folder")
    left = files_left_by_a_deal(place)
    with os.scandir(place) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            size = left.pop(normalize("NFC", entry.name), None)  # some file systems normalise names
            if size is None:
                return Obstacle("foreign", entry.name)
            if not entry.is_file(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_size != size:
                return Obstacle("changed", entry.name)
    return None  # a deal from which players have taken their cards away is a deal still


def files_left_by_a_deal(folder: Path) -> dict[str, int]:
    """The files of a former deal with their sizes, by its manifest; none where there is no manifest of ours."""
    manifest = folder / MANIFEST
    try:
        if not stat.S_ISREG(manifest.lstat().st_mode):
            return {}
        written = manifest.read_bytes()[:LARGEST_MANIFEST]
        left = json.loads(written)
    except (OSError, ValueError, RecursionError):
        return {}
    files = left.get("files") if isinstance(left, dict) and left.get("made_by") == MADE_BY else None
    if not isinstance(files, dict) or not all(type(size) is int for size in files.values()):
        return {}
    return {normalize("NFC", name): size for name, size in files.items()} | {MANIFEST: len(written)}


# What comes instead


def write_all(folder: Path, papers: Mapping[str, bytes], at: int) -> None:
    """Write every file in the order given, which does not depend on roles, and the manifest; synced to the disk."""
    folder.mkdir(mode=0o700)
    sizes = {name: len(text) for name, text in papers.items()}
    manifest = json.dumps({"made_by": MADE_BY, "files": sizes}, ensure_ascii=False, indent=1) + "\n"
    for name, text in {**papers, MANIFEST: manifest.encode()}.items():
        write(folder / name, text, at)
    settle(folder)


def write(path: Path, text: bytes, at: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | O_NOFOLLOW | O_BINARY, 0o600)
    with open(handle, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.utime(path, (at, at))


def settle(folder: Path) -> None:
    """Sync the folder's own entries to the disk, where the system supports it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def put_in_place(beside: Path, place: Path) -> None:
    """Exchange a former deal for the new one. Between the two renames there is no deal, but never half of one."""
    old = beside / "old"
    try:
        if os.path.lexists(place):
            os.rename(place, old)
            if obstacle := in_the_way(old):  # it has changed since it was looked at
                raise FolderOccupied(place, obstacle)
        os.rename(beside / "new", place)
    except BaseException:
        if os.path.lexists(old) and not os.path.lexists(place):
            os.rename(old, place)
        raise
    try:
        with suppress(OSError):  # the deal is there, and complete
            settle(place.parent)
    finally:
        remove_deal(old)


def remove_deal(folder: Path) -> None:
    """Remove a former deal, if there was one, file by file; other files that came into it meanwhile stay."""
    own = files_left_by_a_deal(folder)
    with suppress(OSError):
        for file in list(folder.iterdir()):
            if normalize("NFC", file.name) in own:
                file.unlink()
        folder.rmdir()


def clear(beside: Path) -> None:
    """Remove our own files; the folder beside goes too, unless other files are in there."""
    shutil.rmtree(beside / "new", ignore_errors=True)
    with suppress(OSError):
        beside.rmdir()
