import { generatedFaults } from "./generated-files.ts";
import { reportFaults } from "./report-faults.ts";

reportFaults("generated files", await generatedFaults(process.cwd()));
