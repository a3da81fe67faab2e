import { removeStale, writeGenerated } from "./generated-file.ts";
import { generatedFiles } from "./generated-files.ts";

const root = process.cwd();
const { files, orphans } = await generatedFiles(root);
for (const file of files) writeGenerated(root, file);
removeStale(root, orphans);
console.log(`generated ${files.length} files, removed ${orphans.length}`);
