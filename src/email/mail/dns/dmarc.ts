import { type Answers, questionKey } from "./answer.ts";
import { type Finding, finding, missing, unknown } from "./finding.ts";

const isDmarc = (value: string): boolean => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(value);

/** Returns the hosts of DMARC records: the domain, then the organizational domain (RFC 7489 section 6.6.3). */
export const dmarcHosts = ({ host, domain }: { host: string; domain: string }): string[] => [
  ...new Set([`_dmarc.${domain}`, host]),
];

/** Judges the DMARC record. `host` is the organizational domain. */
export const judgeDmarc = (expected: { host: string; domain: string }, answers: Answers): Finding => {
  const all: string[] = [];
  for (const host of dmarcHosts(expected)) {
    const answer = answers.get(questionKey({ type: "TXT", host }));
    if (!answer || answer.status === "failed") return unknown(host, answer?.reason ?? "it was not asked for");
    if (answer.status === "none") continue;
    const values = answer.values.filter(isDmarc);
    if (values.length > 1) {
      return finding(
        "wrong",
        `There are ${values.length} DMARC records at ${host}, so that receivers use none. Keep one.`,
        values,
      );
    }
    const [value] = values;
    if (value !== undefined) return judged(expected.domain, host, value);
    all.push(...answer.values);
  }
  return all.length === 0
    ? missing("TXT", expected.host, [])
    : finding("wrong", `The text at ${expected.host} is no DMARC record: it must begin with v=DMARC1.`, all);
};

const judged = (domain: string, host: string, value: string): Finding => {
  const tags = new Map(
    value.split(";").map((tag) => {
      const [name = "", text = ""] = tag.split("=");
      return [name.trim().toLowerCase(), text.trim().toLowerCase()] as const;
    }),
  );
  const isInherited = host !== `_dmarc.${domain}`;
  const policy = (isInherited ? tags.get("sp") : undefined) ?? tags.get("p") ?? "";
  const words = POLICIES[policy];
  if (words === undefined) {
    const said = policy === "" ? "names no policy" : `has the unknown policy "${policy.slice(0, 40)}"`;
    return finding("wrong", `The DMARC record at ${host} ${said}: write p=none, p=quarantine or p=reject.`, [value]);
  }
  const where = isInherited
    ? `The DMARC record of ${host.slice("_dmarc.".length)} counts for this domain`
    : "There is a DMARC record";
  const share = tags.get("pct") ?? "100";
  const partly = share === "100" || policy === "none" ? "" : ` It counts for ${share.slice(0, 5)} % of the mail.`;
  const strict = tags.get("aspf") === "s" ? " aspf=s ignores SPF on the envelope subdomain; DKIM is enough." : "";
  return finding("right", `${where}. ${words}${partly}${strict}`, [value]);
};

/** DKIM signs with the exact From domain, which passes strict alignment. */
const POLICIES: Readonly<Record<string, string>> = {
  none: "Its policy is none: forged mail is delivered. When all your mail is signed, change it to quarantine, later to reject.",
  quarantine: "Its policy is quarantine: forged mail goes to spam.",
  reject: "Its policy is reject: forged mail is refused.",
};
