// Starts `rulewright editor` for the rules that are open, and again when its settings or the folders of layers change.

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { CloseAction, LanguageClient } = require("vscode-languageclient/node");

const SECTION = "rulewright";
let client;
let output;
// Starts and stops come one after the other: each waits for the one before.
let settled = Promise.resolve();

// While it starts it shows no messages of its own and does not try again: `tell` says what to do, and a start that
// changed settings ask for must not come between.
class Client extends LanguageClient {
  constructor(server, shown) {
    super(SECTION, "Rulewright", server, {
      ...shown,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (...told) => this.usual.error(...told),
        closed: () => (this.isStarted ? this.usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
      },
    });
    this.isStarted = false;
    this.usual = this.createDefaultErrorHandler();
  }

  async start() {
    await super.start();
    // The library is content with a server that ends before it has answered.
    if (!this.isRunning()) throw new Error("it ended at once");
    this.isStarted = true;
  }

  // The library refuses to stop what has ended already, and another start waits for this.
  async stop(timeout) {
    try {
      await super.stop(timeout);
    } catch (slip) {
      output.appendLine(`${slip}`);
    }
  }

  error(message, data, notice) {
    super.error(message, data, this.isStarted ? notice : false);
  }
}

function openFolders() {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri);
  return folders.filter((each) => each.scheme === "file").map((each) => each.fsPath);
}

// The command of an environment in an open folder, which bootstrapping a clone makes, or the one on the path.
function foundCommand() {
  const windows = process.platform === "win32";
  const parts = windows ? ["Scripts", "python.exe"] : ["bin", "rulewright"];
  const files = openFolders().map((folder) => path.join(folder, ".venv", ...parts));
  const file = files.find((each) => fs.existsSync(windows ? path.join(path.dirname(each), "rulewright.cmd") : each));
  if (!file) return ["rulewright"];
  return windows ? [file, "-m", "rulewright"] : [file];
}

function serverCommand() {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const chosen = settings.get("command", []);
  const [command, ...first] = chosen.length ? chosen : foundCommand();
  const [base] = openFolders();
  const folders = settings.get("folders", []).map((each) => (base ? path.resolve(base, each) : each));
  const steps = settings.get("steps");
  const args = [...first, "editor", ...folders.flatMap((each) => ["--path", each])];
  if (steps) args.push("--steps", `${steps}`);
  return { command, args, options: { cwd: base } };
}

// YAML belongs to many tools: only what lies in the folder of a layer is ours.
async function documents() {
  const manifests = await vscode.workspace.findFiles("**/layer.yaml", "**/{node_modules,.venv}/**");
  const layers = new Set(manifests.filter((each) => each.scheme === "file").map((each) => path.dirname(each.fsPath)));
  return [
    { scheme: "file", language: "rulewright" },
    ...[...layers].map((folder) => ({ scheme: "file", language: "yaml", pattern: `${globbed(folder)}/**/*.yaml` })),
  ];
}

// Write a folder as a pattern that matches only it.
function globbed(folder) {
  return folder.replaceAll("\\", "/").replace(/[[\]{}*?]/g, "[$&]");
}

async function start() {
  if (!vscode.workspace.isTrusted) return;
  const { command, args, options } = serverCommand();
  const shown = { documentSelector: await documents(), outputChannel: output };
  const made = new Client({ command, args, options }, shown);
  try {
    await made.start();
    client = made;
  } catch (slip) {
    output.appendLine(`${[command, ...args].join(" ")}: ${slip}`);
    tell(command, /\bENOENT\b/.test(`${slip}`));
  }
}

// Not waited for: a message stays until somebody closes it, and changed settings must start the server meanwhile.
async function tell(command, isMissing) {
  const setting = "the setting `rulewright.command`";
  const said = isMissing
    ? `is not found. Install Rulewright, or write the full path of its command into ${setting}`
    : `does not start. The output says why; ${setting} says how Rulewright is started`;
  const choice = await vscode.window.showErrorMessage(
    `\`${command}\` ${said}. Until then rules are only colored.`,
    "Open Settings",
    "Show Output",
  );
  if (choice === "Show Output") output.show(true);
  else if (choice) vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.command`);
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

function restart() {
  settled = settled.then(stop).then(start);
  return settled;
}

function activate(context) {
  output = vscode.window.createOutputChannel("Rulewright");
  const manifests = vscode.workspace.createFileSystemWatcher("**/layer.yaml", false, true, false);
  context.subscriptions.push(
    output,
    manifests,
    manifests.onDidCreate(restart),
    manifests.onDidDelete(restart),
    vscode.commands.registerCommand("rulewright.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const started = ["command", "folders", "steps"].map((each) => `${SECTION}.${each}`);
      if (started.some((each) => change.affectsConfiguration(each))) restart();
    }),
  );
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(restart));
  return restart();
}

function deactivate() {
  settled = settled.then(stop);
  return settled;
}

module.exports = { activate, deactivate };
