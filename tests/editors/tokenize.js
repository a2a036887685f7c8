// Tokenize files as VS Code does: node tokenize.js NODE_MODULES GRAMMAR FILE.. > {file: [[[start, end, scope], ..], ..]}
const fs = require("fs");
const path = require("path");

const [modules, grammarFile, ...files] = process.argv.slice(2);
const oniguruma = require(path.resolve(modules, "vscode-oniguruma"));
const { INITIAL, Registry, parseRawGrammar } = require(path.resolve(modules, "vscode-textmate"));

async function main() {
  const wasm = fs.readFileSync(path.resolve(modules, "vscode-oniguruma", "release", "onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const grammar = await registry.loadGrammar("source.rulewright");
  const told = {};
  for (const file of files) {
    let stack = INITIAL;
    told[file] = fs.readFileSync(file, "utf8").split("\n").map((line) => {
      const read = grammar.tokenizeLine(line, stack);
      stack = read.ruleStack;
      const line_scopes = [];
      for (const token of read.tokens) {
        const scope = token.scopes[token.scopes.length - 1];
        const end = Math.min(token.endIndex, line.length);
        const last = line_scopes[line_scopes.length - 1];
        if (token.scopes.length < 2 || token.startIndex >= end) continue;
        if (last && last[2] === scope && last[1] === token.startIndex) last[1] = end;
        else line_scopes.push([token.startIndex, end, scope]);
      }
      return line_scopes;
    });
  }
  process.stdout.write(JSON.stringify(told));
}

main();
