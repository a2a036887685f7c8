// Run the script of the extension without an editor: node client.js EXTENSION.JS JSON > what it starts, as JSON.
const Module = require("module");
const path = require("path");

const [script, text] = process.argv.slice(2);
const told = JSON.parse(text);
const started = [];
const commands = {};
const nothing = { dispose() {} };
const uri = (file) => ({ scheme: "file", fsPath: file });
const vscode = {
  commands: { registerCommand: (name, run) => ((commands[name] = run), nothing) },
  // A message that nobody closes.
  window: { createOutputChannel: () => ({ appendLine() {} }), showErrorMessage: () => new Promise(() => {}) },
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
class LanguageClient {
  constructor(id, name, server, client) {
    started.push({ command: server.command, args: server.args, documents: client.documentSelector });
  }

  async start() {
    if (told.failing) throw new Error("there is no such command");
  }

  async stop() {}
}
const load = Module._load;
Module._load = (name, ...others) =>
  ({ vscode, "vscode-languageclient/node": { LanguageClient } })[name] ?? load(name, ...others);

require(path.resolve(script))
  .activate({ subscriptions: [] })
  .then(() => told.failing && commands["rulewright.restart"]())
  .then(() => process.stdout.write(JSON.stringify(started)));
