"""A deal as files in a folder: complete or not there at all, and nobody else's files are touched (T25)."""

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
from unicodedata import normalize

from roundtable.core.errors import FolderError
from roundtable.dealer.names import MANIFEST, shown

MADE_BY = "roundtable deal, version 1"
LARGEST_MANIFEST = 1 << 16
O_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none
O_BINARY = getattr(os, "O_BINARY", 0)  # only Windows has one


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
    except OSError as error:
        raise unwritable(folder, error.strerror or type(error).__name__) from error
    except UnicodeEncodeError as error:
        raise unwritable(folder, "this system cannot spell one of the names") from error
    return place


def unwritable(folder: Path, reason: str) -> FolderError:
    return FolderError("folder/unwritable", f"Nothing was dealt into {str(folder)!r}: {reason}.")


# What is there already


def require_free(place: Path) -> None:
    reason = in_the_way(place) or ("is the folder that you are in" if is_around_us(place) else "")
    if reason:
        raise occupied(place, reason)


def occupied(place: Path, reason: str) -> FolderError:
    return FolderError(
        "folder/occupied",
        f"{str(place)!r} {reason}; nothing was changed. Clear it away yourself, or choose another folder.",
    )


def is_around_us(place: Path) -> bool:
    """Whether somebody would be left standing in a folder that is no longer there."""
    here = Path.cwd().resolve()
    return place.resolve() in (here, *here.parents)


def in_the_way(place: Path) -> str:
    """Why no deal may go there, as the end of a sentence; empty where nothing is, or only a former deal."""
    if not os.path.lexists(place):
        return ""
    kind = place.lstat().st_mode
    if not stat.S_ISDIR(kind):
        return "is a link" if stat.S_ISLNK(kind) else "is not a folder"
    left = files_left_by_a_deal(place)
    with os.scandir(place) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            size = left.pop(normalize("NFC", entry.name), None)  # some systems spell names their own way
            if size is None:
                return f"holds {shown(entry.name)}, which is not part of a former deal"
            if not entry.is_file(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_size != size:
                return f"holds {shown(entry.name)}, which has changed since it was dealt"
    return ""  # a deal from which players have taken their cards away is a deal still


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
    """Every file in the order given, which no role has a say in, and the manifest; all of it down on the disk."""
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
    """Wait until the folder's own entries are on the disk, where the system lets one ask for that."""
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
            if reason := in_the_way(old):  # somebody was quicker than we
                raise occupied(place, reason)
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
    """Take a former deal away, if there was one, file by file; what else may have come into it meanwhile stays."""
    own = files_left_by_a_deal(folder)
    with suppress(OSError):
        for file in list(folder.iterdir()):
            if normalize("NFC", file.name) in own:
                file.unlink()
        folder.rmdir()


def clear(beside: Path) -> None:
    """Take our own work away; the folder beside goes with it unless somebody's files are in there."""
    shutil.rmtree(beside / "new", ignore_errors=True)
    with suppress(OSError):
        beside.rmdir()
