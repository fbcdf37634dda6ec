import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Finding } from "./frames.ts";
import { refusal } from "./read.ts";

/** A mail to compile. `shown`: path in messages. `name`: path under the argument. */
export type MailFile = { path: string; shown: string; name: string };

const PARTS = /(?:^|[\\/])(?:components|themes|node_modules|\.[^\\/]*)[\\/]/;

/** Finds the .lmx files of the arguments, sorted. `findings`: folders without a mail. */
export const mailsIn = (args: readonly string[], base: string): { mails: MailFile[]; findings: Finding[] } => {
  const findings: Finding[] = [];
  const mails = args.flatMap((arg): MailFile[] => {
    const path = resolve(base, arg);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [{ path, shown: arg, name: basename(path) }];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".lmx") && !PARTS.test(name))
      .sort();
    if (names.length === 0)
      findings.push(refusal(arg, "no_mails", "The folder has no .lmx files", "name a folder that has some").refused);
    return names.map((name) => ({ path: join(path, name), shown: join(arg, name), name }));
  });
  return { mails: [...new Map(mails.map((mail) => [mail.path, mail])).values()], findings };
};
