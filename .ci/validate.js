// Khronos' glTF validator on each file named: prints a line a file, fails on any error.
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

async function main() {
  let errors = 0;
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: file,
      externalResourceFunction: (uri) =>
        new Promise((resolve) => resolve(new Uint8Array(fs.readFileSync(path.resolve(path.dirname(file), decodeURIComponent(uri)))))),
    });
    errors += report.issues.numErrors;
    console.log(`${file}: ${report.issues.numErrors} errors, ${report.issues.numWarnings} warnings`);
    report.issues.messages.filter((m) => m.severity === 0).forEach((m) => console.log(`  ${m.code} ${m.pointer}: ${m.message}`));
  }
  process.exit(errors === 0 ? 0 : 1);
}
main();
