import { count } from "../lib/cli.ts";
import { type Built, build, type Given } from "./build.ts";
import type { MailFile } from "./files.ts";
import { type Finding, frame, type Look, paint } from "./frames.ts";
import { counts, failed } from "./summary.ts";

export type Found = { mails: readonly MailFile[]; findings: readonly Finding[] };

export const buildMails = (
  { mails, findings }: Found,
  given: Given,
  look: Look,
): { built: Built[]; findings: Finding[] } => {
  const built = mails.map(({ path, shown }) => build(path, shown, given));
  const all = [...findings, ...built.flatMap((one) => one.findings)];
  const frames = new Map(all.map((finding) => [keyOf(finding), finding]));
  for (const finding of frames.values()) console.log(`${frame(finding, look)}\n`);
  return { built, findings: [...frames.values()] };
};

const keyOf = ({ path, line, column, code, message }: Finding): string =>
  JSON.stringify([path, line, column, code, message]);

/** Prints findings and a summary. False if there is an error. */
export const checkMails = (found: Found, given: Given, look: Look): boolean => {
  const { built, findings } = buildMails(found, given, look);
  const isGood = !failed(findings);
  const sign = isGood ? paint(look, "green", "✓") : paint(look, "red", "✗");
  console.log(`${sign} ${count(built.length, "mail")}, ${counts(findings)}`);
  return isGood;
};
