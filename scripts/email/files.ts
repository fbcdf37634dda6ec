import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Finding } from "./frames.ts";
import { refusal } from "./read.ts";

/** A mail to compile. `shown`: its path in messages. `name`: its path under the argument that named it. */
export type MailFile = { path: string; shown: string; name: string };

/** Folders of files that mails use. They hold no mails. */
const PARTS = /(?:^|[\\/])(?:components|themes|node_modules|\.[^\\/]*)[\\/]/;

/**
 * The .lmx files that the arguments name: files, and all in folders, sorted. `findings`: folders without a mail. A file that
 * does not exist is in the list, and reading it says so.
 *
 * @param base the folder that the arguments start from
 */
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
