"""Runs: a folder for each training, with all that is needed to repeat, resume, reload and judge it.

- config.json: the language as an automaton, both configurations, the versions; written once, before the first step.
- checkpoint.safetensors: model, optimiser and progress of an unfinished training; replaced every few steps.
- weights.safetensors: the trained model, and
- metrics.json: steps, loss, CPU seconds and, once there is one, the evaluation; both there iff training is finished.

Every file is written under another name and then renamed, so that a run that is killed leaves no half-written file.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.torch
import torch
from torch import Tensor

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError, join_words
from automata.file_text import decode_text
from automata.json_format import from_json, to_json
from neural.evaluate import Evaluation
from neural.pattern import AttentionPattern
from neural.train import Progress, TrainConfig, Training, new_model, train
from neural.transformer import Transformer, TransformerConfig
