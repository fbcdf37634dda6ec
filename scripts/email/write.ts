import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { count } from "../lib/cli.ts";
import type { Given } from "./build.ts";
import { buildMails, type Found } from "./check.ts";
import { type Look, paint } from "./frames.ts";
import { counts } from "./summary.ts";

/**
 * Writes each mail as .html and .txt, except mails with errors. Returns false for an error.
 * @throws if two mails share a name
 */
export const writeMails = (found: Found, given: Given, folder: string, look: Look): boolean => {
  const targets = found.mails.map(({ name }) => join(folder, name.replace(/\.lmx$/, "")));
  const again = targets.findIndex((target, i) => targets.indexOf(target) < i);
  if (again !== -1) {
    const both = found.mails.filter((_, i) => targets[i] === targets[again]).map(({ shown }) => shown);
    throw new Error(`${both.join(" and ")} would be the same file: write them to two folders.`);
  }
  const { built, findings } = buildMails(found, given, look);
  let written = 0;
  for (const [i, { mail }] of built.entries()) {
    const target = targets[i];
    if (mail === undefined || target === undefined) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.html`, mail.html);
    writeFileSync(`${target}.txt`, mail.text);
    written += 1;
  }
  const isGood = written === built.length && built.length > 0;
  const sign = isGood ? paint(look, "green", "✓") : paint(look, "red", "✗");
  console.log(`${sign} ${written} of ${count(built.length, "mail")} written to ${folder}, ${counts(findings)}`);
  return isGood;
};
