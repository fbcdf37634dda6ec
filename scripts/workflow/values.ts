import { UsageError } from "../lib/cli.ts";

/** A value in an argument: `5` and `true` as number and truth value, `"5"` as text, `null` clears; everything else is text. */
export const valueIn = (text: string): string | number | boolean | null => {
  if (!/^(true|false|null|-?\d+(\.\d+)?|".*")$/.test(text)) return text;
  try {
    return JSON.parse(text) as string | number | boolean | null;
  } catch {
    // Digits such as 007 are no number.
    return text;
  }
};

/** `plan=pro` as a name and a value. Throws with the option where it is none. */
const pairOf = (option: string, text: string): [name: string, value: ReturnType<typeof valueIn>] => {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${option} ${text}: expected name=value.`);
  return [text.slice(0, at), valueIn(text.slice(at + 1))];
};

/** Properties of `name=value` arguments. */
export const propertiesOf = (option: string, all: readonly string[]) =>
  Object.fromEntries(all.map((text) => pairOf(option, text)));

/** `3:plan=pro` arguments as changes by the number of days after the entry. */
export const assumptionsOf = (all: readonly string[]): Record<string, Record<string, unknown>> => {
  const days: Record<string, Record<string, unknown>> = {};
  for (const text of all) {
    const [, day, rest] = /^(\d+(?:\.\d+)?):(.+)$/.exec(text) ?? [];
    if (day === undefined || rest === undefined)
      throw new UsageError(`--assume ${text}: expected days:name=value, such as 3:plan=pro.`);
    const [name, value] = pairOf("--assume", rest);
    days[day] = { ...days[day], [name]: value };
  }
  return days;
};

/** The number of days in an option. */
export const daysOf = (text: string): number => {
  const days = Number(text);
  if (text.trim() !== "" && Number.isFinite(days) && days > 0) return days;
  throw new UsageError(`--days ${text}: expected a number of days.`);
};
