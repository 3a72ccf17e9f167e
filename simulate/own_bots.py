"""Bots from a designer's own Python file: read, checked, compiled alone, and asked through a guard.

A compiled bot is a kernel like those that ship: (state, rules, choices, weights) -> index. A plain Python bot is a
function of a `View`, in the game's words. Both see a copy of the state in which everything that their seat cannot see
is dealt anew (choosing.ask_guest). What goes wrong in them is caught here and told in one line with file and line.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import operator
import os
import random
import re
import sys
import threading
import types as python_types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from .bot_decorator import MARK, SECONDS
from .errors import FlocksimError, one_line, unknown
from .text_file import read_text

if TYPE_CHECKING:
    from .engine import Engine
    from .game import Game, Words

RAISED = -(2**62)
FAULTS = (Exception, SystemExit, GeneratorExit)
"""What a bot may raise that ends no more than the bot."""
_SPEC = re.compile(r"(?P<file>.*\.py):(?P<function>[^:]*)")
_ARGUMENTS = {True: ("view",), False: ("state", "rules", "choices", "weights")}


def is_own(name: str) -> bool:
    """Whether a strategy's name is that of a function in a file, 'my_bots.py:rusher'."""
    return _SPEC.fullmatch(name) is not None


def own_name(name: str) -> str:
    """'bots/my_bots.py:rusher' without its folder."""
    found = _SPEC.fullmatch(name)
    return f"{PurePath(found['file']).name}:{found['function']}" if found else name


@dataclass(frozen=True)
class OwnBot:
    """A function in a file of the user's. It stands for its kernel and, by its text, for what the kernel does."""

    file: str
    function: str
    text: str = field(repr=False)
    place: str = field(default="", compare=False)  # where messages say that it stands

    @classmethod
    def named(cls, name: str, folder: Path | None = None, text: str | None = None) -> OwnBot:
        """The bot of that name, its file relative to `folder`, or with this text in place of a file.

        Raises FlocksimError with file and line for whatever keeps it from being one.
        """
        found = _SPEC.fullmatch(name)
        assert found is not None
        path = (folder or Path()) / found["file"]
        content = read_text(path, "a Python file") if text is None else text
        bot = cls(path.name, found["function"], content, path.name if text is not None else str(path))
        _ = bot.loaded
        return bot

    @property
    def name(self) -> str:
        return f"{self.file}:{self.function}"

    @property
    def loaded(self) -> Loaded:
        return _load(self)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def at(self, line: int | None) -> str:
        return f"{self.place}:{line}" if line else self.place


Kernel = Callable[..., Any] | OwnBot


def is_slow(kernel: Kernel) -> bool:
    """Whether it is a plain Python bot."""
    return isinstance(kernel, OwnBot) and kernel.loaded.python


def kernel_name(kernel: Kernel) -> str:
    """Tells kernels apart; those of a user's file by its text."""
    if isinstance(kernel, OwnBot):
        return f"{kernel.name} {kernel.digest}"
    return f"{kernel.__module__}.{kernel.__name__}"


@dataclass(frozen=True, eq=False)
class Loaded:
    """A bot's function and how it wants to be asked."""

    function: Callable[..., Any]
    python: bool
    seconds: float
    namespace: dict[str, Any]
    path: str


@cache
def _load(bot: OwnBot) -> Loaded:
    path = _copy(bot)
    try:
        code = compile(bot.text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise FlocksimError(f"{bot.at(error.lineno)}: not valid Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise FlocksimError(f"{bot.place}: not valid Python: {error}") from None
    module = python_types.ModuleType(f"own_bot_{bot.digest}")
    sys.modules[module.__name__] = module  # numba's cache looks it up
    module.__file__ = path
    try:
        exec(code, module.__dict__)  # the user's own program
    except FAULTS as error:
        raise FlocksimError(f"{bot.at(_line(error, path))}: {_told(error)}") from None
    function = _function(bot, module.__dict__, path)
    options = getattr(function, MARK, {"python": True, "seconds": SECONDS})
    _check_arguments(bot, function, options["python"])
    return Loaded(function, options["python"], options["seconds"], module.__dict__, path)


def _copy(bot: OwnBot) -> str:
    """The path of a copy that never changes, for numba's cache and for lines of source in messages."""
    from .compiled import CACHE

    if CACHE is None:
        return bot.place
    path = CACHE / "own-bots" / bot.digest / bot.file
    with suppress(OSError):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
            part.write_text(bot.text, "utf-8")
            part.replace(path)
    return str(path)


def _function(bot: OwnBot, namespace: Mapping[str, Any], path: str) -> Callable[..., Any]:
    own = {
        name: plain
        for name, value in namespace.items()
        if inspect.isfunction(plain := getattr(value, "py_func", value)) and plain.__code__.co_filename == path
    }
    if bot.function not in own:
        raise FlocksimError(f"{bot.place}: {unknown('function', bot.function, own) if own else 'has no function'}")
    return own[bot.function]


def _check_arguments(bot: OwnBot, function: Callable[..., Any], python: bool) -> None:
    wanted = _ARGUMENTS[python]
    parameters = inspect.signature(function).parameters.values()
    plain = all(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in parameters)
    if plain and len(parameters) == len(wanted):
        return
    kind = "a plain Python bot" if python else "a compiled bot"
    hint = "; is '@bot' missing above it?" if python and len(parameters) == len(_ARGUMENTS[False]) else ""
    raise FlocksimError(
        f"{bot.at(function.__code__.co_firstlineno)}: {bot.function}{inspect.signature(function)} is not allowed; "
        f"{kind} is {bot.function}({', '.join(wanted)}){hint}"
    )


# --- asking ---


class View:
    """What a plain Python bot is asked: a decision as its seat sees it, in the game's words.

    seat, players: whole numbers, seats from 1. decision, turn, round: as in a trace. actions: the legal actions, maps
    from words to values. random: a random.Random of the bot's own. Answer with an action or its index.
    """

    def __init__(self, game: Game, words: Words, state: Any, rules: Any, choices: Any) -> None:
        self._words, self._state, self._rules = words, state, rules
        self._codes = choices["actions"][: int(choices["count"])].tolist()
        self.seat, self.players = int(state["seat"]) + 1, int(state["players"])
        self.decision = game.decisions[int(state["kind"])]
        self.turn, self.round = int(state["turns"]), int(state["rounds"])

    @cached_property
    def actions(self) -> list[dict[str, Any]]:
        """The legal actions in words."""
        return [self._words.action(code, self._state) for code in self._codes]

    @cached_property
    def state(self) -> dict[str, Any]:
        """The table in words, as in a trace, with '?' for what the seat cannot see."""
        return self._words.seen(self._state, self._rules, self.seat - 1)

    @cached_property
    def random(self) -> random.Random:
        """Random numbers of the bot's own, the same again whenever the game is played again."""
        return random.Random(int(self._state["streams"][int(self._state["bot_stream"][self.seat - 1])]))

    def index(self, answer: Any) -> int:
        """The index of an action, or of what is one already; raises ValueError."""
        if isinstance(answer, Mapping):
            if answer not in self.actions:
                raise ValueError(f"answered {dict(answer)}, which is not legal")
            return self.actions.index(dict(answer))
        try:
            index = operator.index(answer)
        except TypeError:
            raise ValueError(f"answered {answer!r}; allowed: a legal action or its index") from None
        if not 0 <= index < len(self._codes):
            raise ValueError(_out_of_range(index, len(self._codes)))
        return index


_thread = threading.local()  # .words: what plain Python bots are told in; .trouble: what went wrong in the last one


def speak(words: Words) -> None:
    """Plain Python bots asked from this thread are told in these words from now on."""
    _thread.words = words


def compiled(bot: OwnBot, engine: Engine) -> Any:
    """The function value of a bot. Raises FlocksimError with file and line where numba cannot compile it."""
    from .compiled import numba

    loaded = bot.loaded
    if loaded.python:
        return numba.njit(engine.bot_type)(_through_python(bot, engine.game))
    _check_fields(bot, engine.game)
    try:
        return engine.compile(_guarded(bot), engine.bot_type)
    except Exception as error:  # numba raises what it likes
        raise FlocksimError(_numba_message(bot, engine, error)) from None


def _check_fields(bot: OwnBot, game: Game) -> None:
    """numba says neither which line nor what there is where a record has no such field."""
    from .layout import Choices

    records = dict(zip(("state", "rules", "choices"), (game.state, game.rules, Choices), strict=True))
    names = dict(zip(inspect.signature(bot.loaded.function).parameters, records, strict=False))
    first = bot.loaded.function.__code__.co_firstlineno
    for definition in ast.walk(ast.parse(bot.text)):
        if not isinstance(definition, ast.FunctionDef) or definition.name != bot.function:
            continue
        if first not in (definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)):
            continue
        for node in ast.walk(definition):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
                record = names[node.value.id]
                known = records[record].names or ()
                if node.attr not in known:
                    raise FlocksimError(f"{bot.at(node.lineno)}: {unknown(f'field of {record}', node.attr, known)}")


def _guarded(bot: OwnBot) -> Callable[..., Any]:
    """The bot as a kernel that answers RAISED instead of raising. It lives in the bot's module for numba's cache."""
    from .compiled import numba

    loaded, name = bot.loaded, bot.function
    loaded.namespace[f"_asked_{name}"] = numba.njit(boundscheck=True)(loaded.function)
    loaded.namespace["_raised"] = RAISED
    text = (
        f"def _guarded_{name}(state, rules, choices, weights):\n"
        f"    try:\n        return 0 | _asked_{name}(state, rules, choices, weights.copy())\n"
        f"    except Exception:\n        return _raised\n"
    )
    exec(compile(text, loaded.path, "exec", dont_inherit=True), loaded.namespace)
    guarded: Callable[..., Any] = loaded.namespace[f"_guarded_{name}"]
    return guarded


def _through_python(bot: OwnBot, game: Game) -> Callable[..., Any]:
    """A kernel that leaves compiled code to ask a plain Python bot."""
    from .compiled import jit_is_on, numba

    function, path = bot.loaded.function, bot.loaded.path

    def ask(state: Any, rules: Any, choices: Any) -> int:
        _thread.trouble = ""
        view = View(game, getattr(_thread, "words", game.words), state, rules, choices)
        try:
            answer = function(view)
        except FAULTS as error:
            _thread.trouble = f"raised {_told(error)} ({bot.at(_line(error, path))})"
            return RAISED
        try:
            return view.index(answer)
        except ValueError as error:
            _thread.trouble = str(error)
            return RAISED

    if not jit_is_on():
        return lambda state, rules, choices, weights: ask(state, rules, choices)
    objmode = numba.objmode

    def call(state, rules, choices, weights):
        with objmode(index="int64"):
            index = ask(state, rules, choices)
        return index

    return call


# --- what went wrong ---


def trouble(bot: OwnBot, view: np.ndarray, rules: np.ndarray, shown: np.ndarray, weights: np.ndarray) -> str:
    """What the bot did instead of choosing when it was asked this (arrays of one record)."""
    if bot.loaded.python:
        return str(_thread.trouble)
    state, rules, choices = (part.copy().view(np.recarray)[0] for part in (view, rules, shown))
    try:
        with np.errstate(all="ignore"):
            answer = bot.loaded.function(state, rules, choices, weights.copy())
    except FAULTS as error:
        return f"raised {_told(error)} ({bot.at(_line(error, bot.loaded.path))})"
    return _out_of_range(answer, int(choices.count))


def _out_of_range(answer: Any, count: int) -> str:
    return f"chose {answer}; allowed: 0 to {count - 1}, the index of one of {count} legal actions"


def _told(error: BaseException) -> str:
    return one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, 300)


def _line(error: BaseException, path: str) -> int | None:
    """Where in the bot's file an error arose."""
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _numba_message(bot: OwnBot, engine: Engine, error: Exception) -> str:
    """numba's complaint as one line: the bot's line nearest to the fault, and the first sentence that says why."""
    from .compiled import numba

    first = bot.loaded.function.__code__.co_firstlineno
    try:  # alone, the bot's own lines are told
        numba.njit(boundscheck=True)(bot.loaded.function).compile(engine.bot_type.args)
    except Exception as own:
        error = own
    else:
        return f"{bot.at(first)}: {bot.function} does not answer with a whole number on every way through it"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    path = re.escape(bot.loaded.path)
    lines = re.findall(rf'(?:File "{path}", line |{path} \()(\d+)', text)
    said = [part.strip() for part in text.splitlines()]
    reasons = [part for part in said if part and not part.startswith(_NUMBAS_PREFACE)]
    reason = reasons[0] if reasons else said[0]
    return f"{bot.at(int(lines[-1]) if lines else first)}: numba cannot compile {bot.function}: {one_line(reason, 300)}"


_NUMBAS_PREFACE = ("Failed in nopython mode pipeline", "During: ", "File ", "<source", "- Resolution failure")
