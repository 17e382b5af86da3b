// SPDX-License-Identifier: MIT
// Whether files are PowerShell, by tree-sitter's grammar of it: prints each place that is not.
//
//   node powershell.cjs <folder of web-tree-sitter> <folder of tree-sitter-powershell> <file>...
'use strict';
const fs = require('fs');
const path = require('path');
const [runtime, grammar, ...files] = process.argv.slice(2);
const { Parser, Language } = require(path.join(runtime, 'web-tree-sitter.cjs'));

function mistakesIn(node) {
  if (node.isError || node.isMissing) return [node];
  return node.hasError ? node.children.flatMap(mistakesIn) : [];
}

async function main() {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(path.join(grammar, 'tree-sitter-powershell.wasm')));
  for (const file of files) {
    for (const mistake of mistakesIn(parser.parse(fs.readFileSync(file, 'utf8')).rootNode)) {
      console.log(`${file}:${mistake.startPosition.row + 1}: ${mistake.text.split('\n')[0]}`);
      process.exitCode = 1;
    }
  }
}
main();
