"""Put rules/ into the wheel, as `rulewright/rules`.

In the clone rules/ stands at the top, where designers look for it; find_packages cannot move a
folder, and a list of packages by hand would be forgotten. setuptools loads this at build time only.
"""

from setuptools.command.build_py import build_py


class BuildWithRules(build_py):
    """The usual build, with one more folder of data."""

    def finalize_options(self) -> None:
        """Add rules/ to the packages found, once they are known."""
        super().finalize_options()
        self.packages = [*(self.packages or ()), "rulewright.rules"]
        self.package_dir = {**(self.package_dir or {}), "rulewright.rules": "rules"}
        self.package_data = {**self.package_data, "rulewright.rules": ["**/*"]}
