"""Put the data into the wheel: rules/ as `rulewright/rules`, docs/codes/ as `rulewright/codes`.

In the clone both stand where their readers look for them; find_packages cannot move a folder, and
a list of packages by hand would be forgotten. setuptools loads this at build time only.
"""

from setuptools.command.build_py import build_py

MOVED = {"rulewright.rules": "rules", "rulewright.codes": "docs/codes"}


class BuildWithRules(build_py):
    """The usual build, with folders of data."""

    def finalize_options(self) -> None:
        """Add the folders to the packages found, once those are known."""
        super().finalize_options()
        self.packages = [*(self.packages or ()), *MOVED]
        self.package_dir = {**(self.package_dir or {}), **MOVED}
        self.package_data = {**self.package_data, **{package: ["**/*"] for package in MOVED}}
