import { segments } from "./segments/measure.ts";
import { runSized } from "./sized.ts";

const HELP = `Counts segments of four conditions in a large team, in slices, and evaluates them for one contact.

  npm run bench:segments
  npm run bench:segments -- --contacts 100000`;

await runSized({
  name: "segments",
  help: HELP,
  option: "contacts",
  size: { usual: 1_000_000, min: 10_000, max: 1_000_000 },
  measure: segments,
});
