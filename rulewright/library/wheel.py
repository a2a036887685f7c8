"""Build the wheel with data: rules/ as `rulewright/rules`, docs/codes/ as `rulewright/codes`.

In the clone, both are at the paths that their readers expect; find_packages cannot move a folder, and an
explicit list of packages would become outdated. setuptools loads this module at build time only.
"""

from setuptools.command.build_py import build_py

MOVED = {"rulewright.rules": "rules", "rulewright.codes": "docs/codes"}


class BuildWithRules(build_py):
    """The build command, with folders of data."""

    def finalize_options(self) -> None:
        """Add the folders to the discovered packages."""
        super().finalize_options()
        self.packages = [*(self.packages or ()), *MOVED]
        self.package_dir = {**(self.package_dir or {}), **MOVED}
        self.package_data = {**self.package_data, **{package: ["**/*"] for package in MOVED}}
