"""Weights, and trainings under way, as safetensors bytes; read strictly, without pickle."""

from __future__ import annotations

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from automata.errors import FormatError, ToolkitError
from neural.train import Progress, Training
from neural.transformer import Transformer

_MOMENTS = ("exp_avg", "exp_avg_sq")


def dump_weights(model: Transformer) -> bytes:
    """Write the weights of a model: embedding, blocks, norm and readout, each under its name in the module.

    Raise `ToolkitError` if one of them is no longer a finite number.
    """
    tensors = model.state_dict()
    _check_finite(tensors)
    return safetensors.torch.save(tensors)


def load_weights(model: Transformer, data: bytes, source: str) -> None:
    """Put weights into a model; raise `FormatError` naming `source` unless names, shapes and types are the model's."""
    tensors = _read(data, source)
    _check(tensors, model.state_dict(), source)
    model.load_state_dict(tensors, assign=True)


def dump_training(training: Training, cpu_seconds: float) -> bytes:
    """Write a training that has made at least one step: weights, moments of the optimiser, progress.

    Raise `ToolkitError` if one of them is no longer a finite number.
    """
    progress = training.progress
    counts = [progress.step, progress.loss, progress.average_loss, cpu_seconds]
    tensors = {"progress": torch.tensor(counts, dtype=torch.float64)}
    for name, weights in training.model.named_parameters():
        tensors[name] = weights.detach()
        for moment in _MOMENTS:
            tensors[f"{moment}.{name}"] = training.optimizer.state[weights][moment]
    _check_finite(tensors)
    return safetensors.torch.save(tensors)


def load_training(training: Training, data: bytes, source: str) -> float:
    """Put a training where `dump_training` left it and return the CPU seconds spent.

    Raise `FormatError` naming `source` unless the tensors are those of such a training.
    """
    tensors = _read(data, source)
    parameters = dict(training.model.named_parameters())
    expected = {"progress": torch.empty(4, dtype=torch.float64), **parameters}
    expected |= {f"{moment}.{name}": weights for moment in _MOMENTS for name, weights in parameters.items()}
    _check(tensors, expected, source)
    step, loss, average_loss, cpu_seconds = tensors["progress"].tolist()
    if step != int(step) or not 1 <= step < training.recipe.steps:
        raise FormatError(
            source, None, f"{step:g} steps are done; expected an integer from 1 to {training.recipe.steps - 1}"
        )
    training.model.load_state_dict({name: tensors[name] for name in parameters})
    for name, weights in parameters.items():
        moments = {moment: tensors[f"{moment}.{name}"] for moment in _MOMENTS}
        training.optimizer.state[weights] = {"step": torch.tensor(step, dtype=torch.float32), **moments}
    training.progress = Progress(int(step), loss, average_loss, finished=False)
    return float(cpu_seconds)


def _read(data: bytes, source: str) -> dict[str, Tensor]:
    try:
        return safetensors.torch.load(data)
    except safetensors.SafetensorError as error:
        raise FormatError(source, None, f"not a safetensors file: {error}") from None


def _check_finite(tensors: dict[str, Tensor]) -> None:
    """Raise `ToolkitError` for what could not be read back."""
    for name, tensor in tensors.items():
        if not bool(tensor.isfinite().all()):
            raise ToolkitError(f"{name!r} is no longer finite; train with a smaller learning rate")


def _check(tensors: dict[str, Tensor], expected: dict[str, Tensor], source: str) -> None:
    """Raise `FormatError` unless the tensors are those expected by name, shape and type, and all finite."""
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors:
            raise FormatError(source, None, f"the tensor {name!r} is missing; the file is of another model")
        if name not in expected:
            raise FormatError(source, None, f"unknown tensor {name!r}; the file is of another model")
        found, wanted = tensors[name], expected[name]
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            raise FormatError(
                source,
                None,
                f"the tensor {name!r} is {found.dtype} {list(found.shape)}; "
                f"expected {wanted.dtype} {list(wanted.shape)}",
            )
        if not bool(found.isfinite().all()):
            raise FormatError(source, None, f"the tensor {name!r} has entries that are not finite numbers")
