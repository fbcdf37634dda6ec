import { segments } from "./segments/measure.ts";
import { runSized } from "./sized.ts";

const ABOUT = `Counts segments of four conditions in a large team, in slices, and evaluates them for one contact.`;

await runSized({
  name: "segments",
  about: ABOUT,
  option: "contacts",
  size: { usual: 1_000_000, min: 10_000, max: 1_000_000 },
  measure: segments,
});
