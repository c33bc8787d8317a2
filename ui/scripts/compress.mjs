// Puts a compressed copy beside each file of the built page that gains by it: `X.gz` beside `X`.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUILT = join(import.meta.dirname, "..", "dist");
const TEXT = /\.(css|html|js|json|svg|txt|webmanifest)$/;

const files = readdirSync(BUILT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && TEXT.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  // The page itself last: that it is there says that everything else is.
  .sort((one, other) => Number(one.endsWith("index.html")) - Number(other.endsWith("index.html")));

for (const file of files) {
  const plain = readFileSync(file);
  const small = gzipSync(plain, { level: 9 });
  if (small.length < plain.length || file.endsWith("index.html")) writeFileSync(`${file}.gz`, small);
}
