// Runs a wasm32-wasip1 program under node. Without a program: whether this node could.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", returnOnExit: true });
if (process.argv[2]) {
  const program = await WebAssembly.compile(await readFile(process.argv[2]));
  process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
}
