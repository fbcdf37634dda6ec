import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { type Figure, show } from "./outbox/report.ts";

type Sized = {
  name: string;
  about: string;
  option: string;
  size: { usual: number; min: number; max: number };
  measure(size: number): Promise<Figure[]>;
};

/** Runs a bench. Sets exit code 1 if a figure exceeds its bound. */
export const runSized = ({ name, about, option, size: { usual, ...bounds }, measure }: Sized): Promise<void> => {
  const definition = define({
    name: `bench:${name}`,
    about,
    examples: [[""], [`--${option} 20000`]],
    options: { [option]: { value: "n", default: String(usual), about: `how many ${option}` } },
  });
  return runCommand(definition, async ({ values }) => {
    const figures = await measure(wholeNumber(option, String(values[option]), bounds));
    for (const figure of figures) console.log(show(figure));
    const isWithin = figures.every(({ good }) => good !== false);
    console.log(isWithin ? "\nWithin all bounds." : "\nMore than a bound.");
    return isWithin;
  });
};
