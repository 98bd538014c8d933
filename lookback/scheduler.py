"""Doing experiments side by side in a store, on whatever offers futures: worker processes, or a cluster.

The store alone holds results: a worker that dies, or a command that is killed, loses what has been done since the last
checkpoint of the trainings under way, and nothing else.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from automata.errors import ToolkitError
from lookback.workers import Pool

if TYPE_CHECKING:
    from neural.experiment import Experiment
    from neural.store import Ending, State

Tell: TypeAlias = "Callable[[int, State], None]"
"""Called with the number of an experiment and its state whenever that has changed."""

RETRIES = 3
"""How often an experiment is tried again whose worker was lost."""

_MEMORY = "a worker that is killed is mostly short of memory: choose fewer processes, or smaller sizes"

_POLL = 0.5  # seconds between two looks at the store
_GRACE = 30.0  # seconds that trainings have to reach a checkpoint when the time is over


@dataclass(frozen=True)
class Report:
    """The states of all experiments after the work, and for those that failed, by number, what went wrong."""

    states: tuple[State, ...]
    failures: dict[int, str]

    @property
    def done(self) -> int:
        """How many experiments are done."""
        return sum(state.phase == "done" for state in self.states)


def run_experiments(
    store: Path, experiments: Sequence[Experiment], pool: Pool, tell: Tell, *, deadline: float | None = None
) -> Report:
    """Do all experiments that a store lacks, as many at a time as the pool takes, and return what became of them.

    An experiment that another process is at work on is waited for, and done if that process gives up. One that cannot
    be done is reported, and the others are done all the same; one whose worker was lost is tried three more times.
    After `deadline`, in seconds since the epoch, no experiment is begun and those under way stop at a checkpoint. Raise
    `ToolkitError` if the folder is no store and cannot be made one.
    """
    from neural.store import open_store, state_of

    open_store(store)
    states = [state_of(store, experiment) for experiment in experiments]
    failures: dict[int, str] = {}
    attempts: Counter[int] = Counter()
    waiting: deque[int] = deque()
    held: list[int] = []  # another process is at work on them
    flying: dict[Future[Ending], int] = {}

    def learn(number: int, state: State) -> None:
        if state != states[number]:
            states[number] = state
            tell(number, state)

    def look(number: int) -> State:
        learn(number, state_of(store, experiments[number]))
        return states[number]

    for number, state in enumerate(states):
        tell(number, state)
        if state.phase == "broken":
            failures[number] = state.problem or ""
        elif state.phase != "done":
            waiting.append(number)
    while waiting or flying or held:
        late = deadline is not None and time.time() > deadline
        if late and (not flying or time.time() > (deadline or 0) + _GRACE):
            break
        while not late and waiting and (pool.room is None or len(flying) < pool.room):
            number = waiting.popleft()
            attempts[number] += 1
            flying[pool.submit(work, str(store.absolute()), experiments[number], deadline)] = number
        if flying:
            finished = wait(flying, timeout=_POLL, return_when=FIRST_COMPLETED).done
        else:
            finished = set()
            time.sleep(_POLL)
        for future in finished:
            number = flying.pop(future)
            try:
                ending = future.result()
            except pool.lost as error:
                if attempts[number] <= RETRIES:
                    waiting.append(number)
                else:
                    failures[number] = f"its worker was lost {attempts[number]} times ({_said(error)}); {_MEMORY}"
            except Exception as error:
                failures[number] = _said(error)
            else:
                if ending == "held":
                    held.append(number)
            look(number)
        for number in flying.values():
            look(number)
        for number in held[:]:
            if look(number).phase != "running":
                held.remove(number)
                if states[number].phase != "done":
                    attempts[number] -= 1
                    waiting.append(number)
    for number in (*flying.values(), *held):
        look(number)
    return Report(tuple(states), failures)


def work(store: str, experiment: Experiment, deadline: float | None) -> Ending:
    """Do one experiment: what a worker is asked for."""
    from neural.store import perform

    return perform(Path(store), experiment, lambda: deadline is not None and time.time() > deadline)


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, ToolkitError) else f"{type(error).__name__}: {error}"
