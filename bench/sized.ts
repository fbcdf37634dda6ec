import { runCommand, wholeNumber } from "../scripts/lib/cli.ts";
import { type Figure, show } from "./outbox/report.ts";

type Sized = {
  name: string;
  help: string;
  option: string;
  size: { usual: number; min: number; max: number };
  measure(size: number): Promise<Figure[]>;
};

/** Runs a bench. Sets exit code 1 if a figure exceeds its bound. */
export const runSized = ({ name, help, option, size: { usual, ...bounds }, measure }: Sized): Promise<void> =>
  runCommand({
    name: `bench:${name}`,
    help,
    options: { [option]: { type: "string", default: String(usual) } },
    main: async (values) => {
      const figures = await measure(wholeNumber(option, String(values[option]), bounds));
      for (const figure of figures) console.log(show(figure));
      const isWithin = figures.every(({ good }) => good !== false);
      console.log(isWithin ? "\nWithin all bounds." : "\nMore than a bound.");
      return isWithin;
    },
  });
