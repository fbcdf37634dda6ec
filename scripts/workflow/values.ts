import { UsageError } from "../lib/cli.ts";

/** Parses an argument: `5` number, `true` boolean, `"5"` text, `null` clears, all else text. */
export const valueIn = (text: string): string | number | boolean | null => {
  if (!/^(true|false|null|-?\d+(\.\d+)?|".*")$/.test(text)) return text;
  try {
    return JSON.parse(text) as string | number | boolean | null;
  } catch {
    // Digits such as 007 are text.
    return text;
  }
};

/** Throws with the option name for invalid text. */
const pairOf = (option: string, text: string): [name: string, value: ReturnType<typeof valueIn>] => {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${option} ${text}: expected name=value.`);
  return [text.slice(0, at), valueIn(text.slice(at + 1))];
};

/** Parses `name=value` arguments. */
export const propertiesOf = (option: string, all: readonly string[]) =>
  Object.fromEntries(all.map((text) => pairOf(option, text)));

/** Parses `3:plan=pro` arguments: changes by days after the entry. */
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

/** Parses a number of days. */
export const daysOf = (text: string): number => {
  const days = Number(text);
  if (text.trim() !== "" && Number.isFinite(days) && days > 0) return days;
  throw new UsageError(`--days ${text}: expected a number of days.`);
};
