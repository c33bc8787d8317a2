// Unpacks the Chromium that npm brings, in the directory where it was installed: the program, and beside it the libraries and the
// font that a bare system lacks. `program` starts it with them.
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const { extract } = createRequire(resolve("package.json"))("tar-fs");
const packed = (name) => createReadStream(resolve("node_modules/@sparticuz/chromium/bin", name));
const unpacked = (name, into) => pipeline(packed(name), createBrotliDecompress(), into);

const START = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export FONTCONFIG_FILE="$here/fonts.conf" LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib"
exec "$here/chromium" "$@"
`;
/** The system's fonts, and one in any case: without a single one Chromium ends. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

await mkdir("chromium");
await unpacked("chromium.br", createWriteStream("chromium/chromium", { mode: 0o755 }));
for (const beside of ["swiftshader.tar.br", "al2023.tar.br", "fonts.tar.br"]) {
  await unpacked(beside, extract("chromium"));
}
await writeFile("chromium/fonts.conf", FONTS);
await writeFile("chromium/program", START);
await chmod("chromium/program", 0o755);
