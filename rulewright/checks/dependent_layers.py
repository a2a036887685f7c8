"""The layers that stand on a layer and no longer compile, as after a change of the game below them.

In: an open set of packages and the name of a layer. Out: each layer on it that has errors, with the first of them. The
layers are compiled, one at a time: names, types and relations are looked at, and nothing is proved. Other games on the
layer, and what stands on those, are left out; so are stacks of several options.
"""

from collections.abc import Iterator

from compiler.compile import problems_of_stack
from compiler.layered.layer_selection import layers_of_stack, reachable_layers
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.render.line import diagnostic_line
from compiler.source.package import Library
from compiler.source.sentence import Severity
from rulewright.library import cache
from rulewright.library.stacks import PackageSet
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.findings import DependentLayersRecord


@frozen_dataclass
class DependentLayers:
    """How many layers on a layer were compiled, and those with errors: name and first error."""

    compiled: int = 0
    broken: tuple[tuple[str, Diagnostic], ...] = ()

    def record(self) -> DependentLayersRecord:
        """Return the record of it."""
        return {
            "compiled": self.compiled,
            "broken": [{"layer": name, "error": diagnostic_line(error)} for name, error in self.broken],
        }


NO_LAYERS = DependentLayers()


def dependent_layers(package_set: PackageSet, name: str) -> DependentLayers:
    """Compile the options and variants on a layer, with caching."""
    library = package_set.library
    if name not in library.layers:
        return NO_LAYERS
    names = _layers_on(library, name)
    layers = sorted({layer.name.text for each in names for layer in layers_of_stack(library, each)})
    texts = (f"{file.name}\n{library.texts[file.name]}".encode() for layer in layers for file in library.files[layer])
    key = cache.cache_key(
        b"layers on", cache.compiler_stamp("runtime", "compiler", "rulewright"), name.encode(), *texts
    )
    broken = cache.remember_result(key, lambda: tuple(_broken_layers(package_set, names)))
    return DependentLayers(len(names), broken)


def _layers_on(library: Library, name: str) -> tuple[str, ...]:
    """Return the layers on a layer that are no games, and stand on no game in between."""
    reach = reachable_layers(tuple(library.layers.values()))
    games = {each for each, layer in library.layers.items() if layer.kind.text == "base" and each != name}
    games_between = {game for game in games if name in reach[game]}
    return tuple(
        sorted(
            each
            for each, below in reach.items()
            if each != name and name in below and each not in games and games_between.isdisjoint(below)
        )
    )


def _broken_layers(package_set: PackageSet, names: tuple[str, ...]) -> Iterator[tuple[str, Diagnostic]]:
    """Compile layers, and yield each that has errors with the first of them."""
    for name in names:
        found = diagnose(problems_of_stack(package_set.library, name), package_set.texts())
        error = next((each for each in found if each.severity is Severity.ERROR), None)
        if error is not None:
            yield name, error
