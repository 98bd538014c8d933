"""Classifying many languages: one record each, on all cores, within limits, and resumed after an interruption.

The records already made are kept beside the table, in a journal of JSON lines that only grows. Its first line is the
fingerprint of the job (the options that shape a record); every other line is the key of a language and its record. A
line that a crash cut short is ignored, so that killing the work at any moment loses at most the languages at work.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from automata.errors import ToolkitError, join_words
from lookback.inputs import SUFFIXES, split_kind
from lookback.workers import signals_held_back

Record: TypeAlias = dict[str, Any]
"""What is known of one language: {"language", "error", "classification"}; one of the last two is None."""

_FORMAT = "lookback-atlas/1"


@dataclass(frozen=True)
class Entry:
    """A language to classify: its text as people type it, and the alphabet declared for it, None if none is."""

    language: str
    letters: tuple[str, ...] | None

    def key(self) -> str:
        """Return a digest of the language: of the file's bytes, if it is one, of its text and of the letters."""
        digest = hashlib.sha256(json.dumps([self.language, self.letters]).encode())
        if split_kind(self.language)[0] == "file":
            try:
                digest.update(Path(self.language).read_bytes())
            except OSError as error:
                digest.update(str(error.strerror).encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class Job:
    """What is asked of every language: the windows, and the limits in states, elements and seconds.

    `limits` holds the keyword arguments of `semigroups.classify.classify` that were given, sorted by name.
    """

    windows: tuple[int, ...]
    max_states: int
    time_limit: float
    limits: tuple[tuple[str, int], ...] = ()

    def fingerprint(self) -> str:
        """Return a line that is the same for the same job."""
        return json.dumps({"format": _FORMAT, **asdict(self)})


def entries(
    sources: Iterable[str], letters: tuple[str, ...] | None, by_pattern: Sequence[tuple[str, tuple[str, ...]]] = ()
) -> list[Entry]:
    """Return the languages that the sources name: a language each, or all automaton files below a directory, sorted.

    The first pattern (as in a shell: `04.*`) that a file's name matches gives its letters, `letters` the others'.
    Raise `ToolkitError` for a directory without automaton files, and where there is no source at all.
    """
    found: list[str] = []
    for source in sources:
        if Path(source).is_dir():
            files = sorted(p for p in Path(source).rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
            if not files:
                kinds = join_words(list(SUFFIXES), "or")
                raise ToolkitError(f"the directory {source!r} holds no automata: no file ends in {kinds}")
            found += map(str, files)
        else:
            found.append(source)
    if not found:
        raise ToolkitError("there is no language to classify; name files, directories or languages")

    def letters_of(language: str) -> tuple[str, ...] | None:
        name = Path(language).name
        return next((given for pattern, given in by_pattern if fnmatch(name, pattern)), letters)

    return [Entry(language, letters_of(language)) for language in dict.fromkeys(found)]


def make_records(
    wanted: Sequence[Entry], job: Job, journal: Path, processes: int, tell: Callable[[str, bool], None]
) -> list[Record]:
    """Return the records of all languages, in order; take those that the journal holds and add the others to it.

    `tell` is called with each language and whether its record was there already. Worker processes that run past the
    time limit are stopped, and their languages marked. Raise `ToolkitError` if the journal is of another job, or
    cannot be written.
    """
    try:
        known = read_journal(journal, job)
    except OSError as error:
        raise ToolkitError(f"cannot read {str(journal)!r}: {error.strerror or error}") from None
    keys = [entry.key() for entry in wanted]
    missing: dict[str, Entry] = {}
    for key, entry in zip(keys, wanted, strict=True):
        if key in known:
            tell(entry.language, True)
        else:
            missing.setdefault(key, entry)
    if missing:
        try:
            with journal.open("a+b") as file:
                _end_last_line(file)
                if file.tell() == 0:
                    file.write(job.fingerprint().encode() + b"\n")
                for key, record in _classified(missing, job, processes):
                    known[key] = record
                    file.write(json.dumps([key, record]).encode() + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                    tell(record["language"], False)
        except OSError as error:
            raise ToolkitError(f"cannot write {str(journal)!r}: {error.strerror or error}") from None
    return [known[key] for key in keys]


def read_journal(journal: Path, job: Job) -> dict[str, Record]:
    """Return the records of a journal by key, none if there is none; raise `ToolkitError` if it is another job's."""
    if not journal.exists():
        return {}
    if not journal.is_file():
        raise ToolkitError(f"{str(journal)!r} is no ordinary file, and the records are to be kept in it; remove it")
    lines = journal.read_bytes().split(b"\n")[:-1]  # what follows the last line break was cut short
    if lines and lines[0].decode(errors="replace") != job.fingerprint():
        raise ToolkitError(
            f"{str(journal)!r} holds the records of a job with other options; finish that one, or delete the file"
        )
    known: dict[str, Record] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            key, record = json.loads(line)
            known[str(key)] = {name: record[name] for name in ("language", "error", "classification")}
        except (ValueError, TypeError, KeyError):
            raise ToolkitError(f"{str(journal)!r}, line {number} is damaged; delete the line, or the file") from None
    return known


def _end_last_line(file: Any) -> None:
    """Cut off what a crash left of a last line."""
    file.seek(0)
    data = file.read()
    file.truncate(data.rfind(b"\n") + 1)
    file.seek(0, os.SEEK_END)


def _classified(missing: dict[str, Entry], job: Job, processes: int) -> Iterator[tuple[str, Record]]:
    """Yield key and record of each language, as they are done."""
    from pebble import ProcessExpired, ProcessPool

    # Workers are started anew, not forked: a fork takes over threads' locks.
    pool: Any = ProcessPool(max_workers=min(processes, len(missing)), context=get_context("spawn"))
    try:
        with signals_held_back():  # the first call starts the threads that talk to the workers
            futures: dict[Future[Record], tuple[str, Entry]] = {
                pool.schedule(classified, args=[entry, job], timeout=job.time_limit): (key, entry)
                for key, entry in missing.items()
            }
        for future in as_completed(futures):
            key, entry = futures[future]
            try:
                record = future.result()
            except TimeoutError:
                limit = f"not done within the time limit of {job.time_limit:g} s (--time-limit)"
                record = {"language": entry.language, "error": limit, "classification": None}
            except ProcessExpired as error:
                ended = f"its process ended with status {error.exitcode}, perhaps for want of memory"
                record = {"language": entry.language, "error": ended, "classification": None}
            yield key, record
        pool.close()
    finally:
        pool.stop()
        pool.join()


def classified(entry: Entry, job: Job) -> Record:
    """Return the record of one language; what is wrong with it, or too large, becomes its error."""
    from automata.alphabet import Alphabet
    from lookback.inputs import read_language
    from lookback.record import classification_json
    from semigroups.classify import classify

    limits: dict[str, Any] = dict(job.limits)
    record: Record = {"language": entry.language, "error": None, "classification": None}
    try:
        dfa = read_language(entry.language, None if entry.letters is None else Alphabet(entry.letters), job.max_states)
        found = classify(dfa, windows=job.windows, **limits)
        record["classification"] = classification_json(found)
    except ToolkitError as error:
        record["error"] = "; ".join([str(error).partition("\n")[0], *getattr(error, "__notes__", ())])
    except (MemoryError, RecursionError) as error:
        record["error"] = f"out of memory ({type(error).__name__})"
    return record
