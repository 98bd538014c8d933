"""What is known of a classified language as plain values for JSON."""

from __future__ import annotations

from typing import Any

from neural.architectures import Architecture, architectures
from semigroups.classify import Classification


def architecture_rows(classification: Classification) -> tuple[Architecture, ...]:
    """Return the table of architectures with the windows that the classification decides."""
    windows = {verdict.fragment.window for verdict in classification.verdicts} - {None}
    return architectures(sorted(window for window in windows if window is not None))


def classification_json(classification: Classification) -> dict[str, Any]:
    """Return a classification, and the architectures read off it, as plain values for JSON."""
    plain = classification.to_dict()
    rows = architecture_rows(classification)
    return {
        **{name: plain.pop(name) for name in ("alphabet", "states", "semigroup", "monoid", "fragments")},
        "architectures": {row.name: row.prediction(classification) for row in rows},
        **plain,
    }
