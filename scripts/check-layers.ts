import { layerFaults } from "./layers/check-tree.ts";
import { reportFaults } from "./report-faults.ts";

reportFaults("layers", await layerFaults(process.cwd()));
