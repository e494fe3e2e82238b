// Prints errors and warnings of glTF files, one line a file: node validator.js VALIDATOR FILE...
const fs = require('fs');
const path = require('path');
const [validatorFolder, ...files] = process.argv.slice(2);
const validator = require(validatorFolder);

async function check(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  const codes = messages.filter((m) => m.severity <= 1).map((m) => m.code);
  return `${numErrors} ${numWarnings} ${[...new Set(codes)].join(',')}`;
}

(async () => {
  for (const file of files) console.log(await check(file).catch((error) => `failed ${error}`));
})();
