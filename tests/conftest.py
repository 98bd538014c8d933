"""Hypothesis profiles: quick while you work, ci (derandomised) for every change, thorough by night. One thread."""

import os

from hypothesis import HealthCheck, settings

from lookback.workers import use_one_thread

use_one_thread()  # as in the workers, whose results are compared with those of this process

settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile(
    "ci", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("LOOKBACK_PROFILE", "quick"))
