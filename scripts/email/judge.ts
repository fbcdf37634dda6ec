import type { Kind, Library, Problem } from "../../src/lib/lmx/compile.ts";
import { inFile, type LmxFile } from "../../src/lib/lmx/file.ts";
import { guardian } from "../../src/lib/lmx/guardian/guardian.ts";
import type { Item } from "../../src/lib/lmx/guardian/rule.ts";
import { compileMessage } from "../../src/lib/lmx/message/compile-message.ts";
import type { MessageSource } from "../../src/lib/lmx/message/message-source.ts";
import type { Judged } from "./finding.ts";

/** No rule of the guardian covers these problems. */
const COMPILER = new Set(["mailspan.invalidContent", "mailspan.contentWarnings"]);
const EMPTY = "mailspan.emptyFields";

/** Runs the guardian on a message. A file without subject and sender is a draft. */
export const judge = (source: MessageSource, kind: Kind, library: Library, file: LmxFile): Judged[] => {
  const { compiled, problems } = compileMessage(source, kind, library);
  const { errors, warnings } = guardian({ message: source, kind, library, html: compiled?.html, problems, known: {} });
  const { subject, fromName, fromEmail } = file.fields;
  const isWhole = [subject, fromName, fromEmail].some((field) => field !== undefined);
  const of = (severity: Problem["severity"], found: typeof errors): Judged[] =>
    found.flatMap(({ rule, title, items }) =>
      items
        .filter((item) => rule !== EMPTY || isWhole || fieldOf(item) === "lmx")
        .map((item) => placed({ severity, ...worded(rule, title, item) }, item, file)),
    );
  return [...of("error", errors), ...of("warning", warnings)];
};

/** `lmx:3:1` is a place in the LMX; other paths are field names. */
const fieldOf = ({ path }: Item): string => path.split(":")[0] ?? "";

const worded = (rule: string, title: string, item: Item): Pick<Judged, "code" | "message" | "fix"> => {
  const { label, fix, codeName } = item;
  if (COMPILER.has(rule) && codeName !== undefined) return { code: codeName, message: fix };
  if (rule === EMPTY && fieldOf(item) !== "lmx")
    return { code: rule, message: `The mail has no ${label}`, fix: `add a line "${label}: …" to the front matter` };
  // The API has fields for fallbacks, a file has lines.
  const ofFile = fix.replace(/\bin (contact|event|data)\w+Fallbacks\b/, "as fallback.$1.… in the front matter");
  return { code: rule, message: `${title} (${label})`, fix: ofFile };
};

const placed = (problem: Pick<Judged, "severity" | "code" | "message" | "fix">, item: Item, file: LmxFile): Judged => {
  const { line, column, component } = item;
  const whole: Judged = { ...problem, line, column, ...(component === undefined ? {} : { component }) };
  return inFile(whole, file, fieldOf(item));
};
