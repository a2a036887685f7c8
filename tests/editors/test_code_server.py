"""The extension in VS Code, shown by code-server in a browser: the text of an edited line, and findings."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from editors.write import EXTENSION
from rulewright.write.new_packages import new_game
from tests.sample import LONG

SCRIPT = Path(__file__).with_name("browser.js")
PLAYWRIGHT = EXTENSION / "node_modules" / "playwright-core"
VSIX = EXTENSION / "rulewright-0.1.0.vsix"
CLONE = Path(__file__).parents[2]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[str]:
    """Start code-server with the extension; yield the address of a folder with a small game."""
    pytest.importorskip("pygls", reason="EDITOR NOT TRIED: no pygls, the extra `editor`")
    if not (shutil.which("code-server") and shutil.which("chromium") and VSIX.is_file() and PLAYWRIGHT.is_dir()):
        pytest.skip(
            "NOT TRIED: the extension in code-server; it takes code-server and chromium on the path, `npm run package` "
            "and `npm install --no-save playwright-core` in editors/vscode"
        )
    new_game("toy", tmp_path / "set")
    settings = {"rulewright.command": [sys.executable, "-m", "rulewright"]}
    (tmp_path / "data" / "Machine").mkdir(parents=True)
    (tmp_path / "data" / "Machine" / "settings.json").write_text(json.dumps(settings))
    (tmp_path / "data" / "User").mkdir()
    (tmp_path / "data" / "User" / "settings.json").write_text('{"files.autoSave": "off"}')
    (tmp_path / "config.yaml").touch()
    places = [("config", "config.yaml"), ("user-data-dir", "data"), ("extensions-dir", "extensions")]
    command = ["code-server", *(part for name, place in places for part in (f"--{name}", str(tmp_path / place)))]
    subprocess.run([*command, "--install-extension", str(VSIX)], check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serving = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-workspace-trust"]
    environment = {**os.environ, "PYTHONPATH": str(CLONE)}
    server = subprocess.Popen(
        [*command, *serving], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(300):
            try:
                urlopen(f"http://127.0.0.1:{port}/healthz").close()
                break
            except URLError:
                sleep(0.2)
        yield f"http://127.0.0.1:{port}/?folder={tmp_path / 'set'}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


@LONG
def test_typing_in_a_browser(window: str) -> None:
    arguments = [str(PLAYWRIGHT), str(shutil.which("chromium")), window, "moving.rules"]
    run = subprocess.run(["node", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["sound"] == 0
    assert seen["line"].endswith("and some(") or seen["line"].endswith("and some()"), seen
