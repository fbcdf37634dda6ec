import { parseArgs } from "node:util";
import { show } from "./outbox/report.ts";
import { segments } from "./segments/measure.ts";

const HELP = `Counts segments of four conditions in a large team, in slices, and evaluates them for one contact.

  npm run bench:segments
  npm run bench:segments -- --contacts 100000`;

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000000" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const main = async (): Promise<boolean> => {
  const contacts = Number(values.contacts);
  if (!(contacts >= 10_000 && contacts <= 1_000_000)) throw new Error(HELP);
  const figures = await segments(contacts);
  for (const figure of figures) console.log(show(figure));
  const isWithin = figures.every(({ good }) => good !== false);
  console.log(isWithin ? "\nWithin all bounds." : "\nMore than a bound.");
  return isWithin;
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
