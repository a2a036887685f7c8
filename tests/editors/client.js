// Run the script of the extension without an editor: node client.js EXTENSION.JS JSON > the clients that it starts, its
// messages, and its answers to closed connections, as JSON.
const Module = require("module");
const path = require("path");

const [script, text] = process.argv.slice(2);
const told = JSON.parse(text);
const started = [];
const shown = [];
const answers = [];
const commands = {};
const nothing = { dispose() {} };
const uri = (file) => ({ scheme: "file", fsPath: file });
const showErrorMessage = (message) => (shown.push(message), new Promise(() => {}));
const vscode = {
  commands: { registerCommand: (name, run) => ((commands[name] = run), nothing) },
  // A message that is never closed.
  window: { createOutputChannel: () => ({ appendLine() {} }), showErrorMessage },
  workspace: {
    isTrusted: !told.untrusted,
    workspaceFolders: [{ uri: uri(told.folder) }],
    getConfiguration: () => ({ get: (name, other) => told.settings[name] ?? other }),
    findFiles: async () => told.layers.map((each) => uri(path.join(told.folder, each))),
    createFileSystemWatcher: () => ({ onDidCreate: () => nothing, onDidDelete: () => nothing, dispose() {} }),
    onDidChangeConfiguration: () => nothing,
    onDidGrantWorkspaceTrust: () => nothing,
  },
};
const CloseAction = { DoNotRestart: 1, Restart: 2 };
class LanguageClient {
  constructor(id, name, server, client) {
    started.push({ command: server.command, args: server.args, documents: client.documentSelector });
    this.options = client;
  }

  createDefaultErrorHandler() {
    return { error: () => ({}), closed: () => ({ action: CloseAction.Restart }) };
  }

  // As in the library: if a command ends at once, its connection is closed, and the start still completes.
  async start() {
    if (told.failing === "ends") {
      answers.push(this.options.errorHandler.closed().action);
      if (!this.options.initializationFailedHandler) showErrorMessage("the connection got disposed");
    } else if (told.failing) {
      this.error("Couldn't create connection to server.", undefined, "force");
      throw new Error("Launching server using command rulewright failed. Error: spawn rulewright ENOENT");
    } else {
      this.running = true;
      setImmediate(() => answers.push(this.options.errorHandler.closed().action));
    }
  }

  isRunning() {
    return this.running === true;
  }

  error(message, data, notice) {
    if (notice === "force") showErrorMessage(message);
  }

  async stop() {
    if (!this.isRunning()) throw new Error("it is not running and can't be stopped");
  }
}
const load = Module._load;
Module._load = (name, ...others) =>
  ({ vscode, "vscode-languageclient/node": { CloseAction, LanguageClient } })[name] ?? load(name, ...others);

require(path.resolve(script))
  .activate({ subscriptions: [] })
  .then(() => told.failing && commands["rulewright.restart"]())
  .then(() => new Promise(setImmediate))
  .then(() => process.stdout.write(JSON.stringify({ started, shown, answers })));
