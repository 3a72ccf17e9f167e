"""The populations that a study asks its question of: tiers, or levels of noise; or one population alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

NOISE = "noise-"
"""How the names of populations begin that are levels of noise."""


def baselines(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Variant -> what it is compared with: the first variant that the same population plays, in the same deals."""
    first: dict[str, str] = {}
    for entry in manifest["variants"]:
        first.setdefault(population_of(entry), str(entry["name"]))
    return {str(entry["name"]): first[population_of(entry)] for entry in manifest["variants"]}


def compared_with(manifest: Mapping[str, Any], variants: Iterable[str]) -> str:
    """What these variants are compared with, in words: 'standard', or 'standard at the same tier' where each of several
    populations has one of its own.
    """
    entries, known = {entry["name"]: entry for entry in manifest["variants"]}, baselines(manifest)
    firsts = [entries[name] for name in dict.fromkeys(known[variant] for variant in variants)]
    if len(firsts) == 1:
        return str(firsts[0]["name"])
    kind = "level of noise" if population_of(firsts[0]).startswith(NOISE) else "tier"
    return f"{rules_name(firsts[0])} at the same {kind}"


def population_of(entry: Mapping[str, Any]) -> str:
    """The population that plays a variant of a manifest: a tier, 'noise-0.1', or '' for the study's only one."""
    return str(entry.get("population") or "")


def played_by(population: str) -> str:
    """A population in words: 'with noise 0.1', 'at expert'; '' for the study's only one."""
    if population.startswith(NOISE):
        return f"with noise {population.removeprefix(NOISE)}"
    return f"at {population}" if population else ""


def rules_name(entry: Mapping[str, Any]) -> str:
    """What a variant of a manifest is called without its population."""
    population = population_of(entry)
    return str(entry["name"]).removesuffix(f"-{population}") if population else str(entry["name"])
