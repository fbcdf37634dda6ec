import type { Answer } from "./answer.ts";
import { type Finding, finding, short, through } from "./finding.ts";

type Found = Extract<Answer, { status: "found" }>;
type Expected = { host: string; publicKey: string };

/** Judges TXT records at a selector (RFC 6376 section 3.6.1). */
export const judgeDkim = ({ host, publicKey }: Expected, answer: Found): Finding => {
  const { values } = answer;
  const [value = "", ...others] = values;
  const wrong = (message: string) => finding("wrong", message, values);
  if (others.length > 0) {
    return wrong(
      `There are ${values.length} TXT records at ${host}, and receivers may read any of them. Keep only the expected one.`,
    );
  }
  if (value.includes('"')) return wrong("The value has quotation marks in it. Enter it without them.");
  if (value.includes("\\"))
    return wrong("The value has backslashes in it. Enter it without them: a semicolon needs none.");
  const tags = tagsOf(value);
  const problem = tagProblem(tags) ?? keyProblem((tags.get("p") ?? "").replace(/\s/g, ""), publicKey);
  if (problem !== undefined) return wrong(problem);
  const isTesting = tags.get("t")?.split(":").includes("y");
  const testing = isTesting ? " It has t=y (testing), with which receivers may ignore the signature: remove that." : "";
  return finding("right", `The key is right.${testing}${through(host, answer)}`, values);
};

const tagsOf = (value: string): Map<string, string> =>
  new Map(
    value.split(";").flatMap((tag) => {
      const at = tag.indexOf("=");
      return at < 0 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).trim()] as const];
    }),
  );

const tagProblem = (tags: ReadonlyMap<string, string>): string | undefined => {
  const [v = "DKIM1", k = "rsa", h = "sha256", s = "*"] = ["v", "k", "h", "s"].map((tag) => tags.get(tag));
  if (!tags.has("p")) return "The record has no key: it has no p=. Replace it by the expected value.";
  if (v !== "DKIM1") return `The record begins with v=${short(v)}. It must begin with v=DKIM1.`;
  if (k !== "rsa") return `The record says k=${short(k)}. The key is k=rsa.`;
  if (!h.split(":").some((one) => one.trim() === "sha256")) return `The record allows h=${short(h)} only. Remove h=.`;
  if (!s.split(":").some((one) => ["*", "email"].includes(one.trim())))
    return `The record has s=${short(s)}, which excludes email. Remove s=.`;
  return undefined;
};

/** Such keys share the first 44 characters; more may match by chance. */
const SHARED = 50;

const keyProblem = (found: string, expected: string): string | undefined => {
  if (found === expected) return undefined;
  if (found === "") return "The key is revoked: p= is empty. Enter the expected value.";
  const sizes = `it has ${found.length} of ${expected.length} characters`;
  if (expected.startsWith(found)) {
    return `The key is cut off: ${sizes}. Its record is longer than the 255 characters of one string. Enter it as two strings, as in the zone file.`;
  }
  if (found.startsWith(expected))
    return `The key is right up to its end, and ${found.length - expected.length} characters follow: "${short(found.slice(expected.length))}". Remove them.`;
  const at = [...expected].findIndex((char, n) => char !== found[n]);
  if (at >= SHARED) {
    const differs = `The key differs from character ${at + 1} on: "${found.slice(at, at + 12)}…" instead of "${expected.slice(at, at + 12)}…"`;
    return found.length < expected.length ? `${differs}; ${sizes}. A part may be missing.` : `${differs}.`;
  }
  return "The record has the key of another selector or service. Replace it by the expected value.";
};
