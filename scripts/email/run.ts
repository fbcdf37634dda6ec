import { resolve } from "node:path";
import { UsageError, wholeNumber } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { build } from "./build.ts";
import { checkMails } from "./check.ts";
import { mailsIn } from "./files.ts";
import { lookOf } from "./frames.ts";
import { preview } from "./preview.ts";
import type { EMAIL } from "./usage.ts";
import { readData, readSender, readSettings } from "./values.ts";
import { writeMails } from "./write.ts";

type Options = Line<typeof EMAIL>["values"];
type Env = Readonly<Record<string, string | undefined>>;

const NO_DATA = { values: {}, findings: [] };

/** npm runs a command in the folder of package.json. */
const baseOf = (env: Env): string => (env.npm_lifecycle_event === "email" && env.INIT_CWD) || process.cwd();

/** Checks, writes or shows mails. Returns false for an error in a mail. */
export const runEmail = async (args: readonly string[], options: Options, env: Env): Promise<boolean> => {
  const [first = ""] = args;
  const base = baseOf(env);
  const look = lookOf(process.stdout, env);
  const settings = readSettings(options.set ?? []);
  const { data } = options;
  const { theme } = options;
  const sender = readSender(options.from);
  const given = () => {
    const { values, findings } = data === undefined ? NO_DATA : readData(resolve(base, data), data);
    return { given: { values: { ...values, ...settings }, theme, sender }, findings };
  };
  const port = options.port === undefined ? undefined : wholeNumber("port", options.port, { max: 65_535 });
  const isAsked = port !== undefined || options.open;
  const hasReader = process.stdout.isTTY && !env.CI;
  if (options.check && (isAsked || options.out !== undefined))
    throw new UsageError("--check shows and writes nothing: leave out --port, --open and --out.");
  if (options.out !== undefined || options.check || !(isAsked || hasReader)) {
    const found = mailsIn(args, base);
    const { given: values, findings } = given();
    const all = { ...found, findings: [...findings, ...found.findings] };
    if (options.out === undefined) return checkMails(all, values, look);
    return writeMails(all, values, resolve(base, options.out), look);
  }
  if (args.length > 1) throw new UsageError(`The page shows one file. To check ${args.length} files, add --check.`);
  const make = () => {
    const { given: values, findings } = given();
    const built = build(resolve(base, first), first, values);
    const files = data === undefined ? built.files : [...built.files, resolve(base, data)];
    return { ...built, findings: [...findings, ...built.findings], files };
  };
  return preview(make, { port, open: options.open, look });
};
