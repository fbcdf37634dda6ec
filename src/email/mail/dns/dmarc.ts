import { type Answers, questionKey } from "./answer.ts";
import { type Finding, finding, missing, short, unknown } from "./finding.ts";
import { organizationalDomain } from "./name.ts";

type Tags = ReadonlyMap<string, string>;
type Found = { name: string; value: string; tags: Tags };
type Expected = { host: string; domain: string };

const MOST_LABELS = 7;

const isDmarc = (value: string): boolean => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(value);

const hostOf = (name: string): string => `_dmarc.${name}`;

const labelsOf = (name: string, count: number): string => name.split(".").slice(-count).join(".");

/** Names above a domain in the DNS Tree Walk, nearest first: at most seven (RFC 9989 section 4.10). */
const above = (domain: string): string[] => {
  const most = Math.min(domain.split(".").length - 1, MOST_LABELS);
  return Array.from({ length: most }, (_, n) => labelsOf(domain, most - n));
};

const recordsAt = (name: string, answers: Answers): string[] => {
  const answer = answers.get(questionKey({ type: "TXT", host: hostOf(name) }));
  return answer?.status === "found" ? answer.values.filter(isDmarc) : [];
};

/** Returns the hosts to ask for DMARC records: the domain, then those above if it has no record of its own. */
export const dmarcHosts = ({ domain }: Expected, answers: Answers): string[] => {
  const host = hostOf(domain);
  const isOpen = !answers.has(questionKey({ type: "TXT", host }));
  return isOpen || recordsAt(domain, answers).length > 0 ? [host] : [host, ...above(domain).map(hostOf)];
};

/** Judges the DMARC record that counts for a domain. `host`: where a missing one belongs. */
export const judgeDmarc = (expected: Expected, answers: Answers): Finding => {
  const { domain, host } = expected;
  const found: Found[] = [];
  const others: string[] = [];
  for (const name of [domain, ...above(domain)]) {
    const at = hostOf(name);
    const answer = answers.get(questionKey({ type: "TXT", host: at }));
    if (answer?.status === "none") continue;
    if (answer?.status !== "found") {
      // A registry that does not answer changes nothing for the names below.
      if (organizationalDomain(name) === undefined) continue;
      return unknown(at, answer?.reason ?? "it was not asked for");
    }
    const values = recordsAt(name, answers);
    if (values.length > 1) {
      const said = `There are ${values.length} DMARC records at ${at}, so that receivers use none of them. Keep one.`;
      return finding("wrong", said, values);
    }
    const [value] = values;
    if (value === undefined) {
      if (at === hostOf(domain) || at === host) others.push(...answer.values);
      continue;
    }
    const tags = tagsOf(value);
    found.push({ name, value, tags });
    if (name === domain || isPsd(tags)) break;
  }
  const applied = appliedTo(domain, found);
  if (applied) return judged(domain, applied);
  return others.length === 0
    ? missing("TXT", host, [])
    : finding("wrong", `The text at ${host} is no DMARC record: it must begin with v=DMARC1.`, others);
};

const isPsd = (tags: Tags): boolean => /^[yn]$/.test(tags.get("psd") ?? "");

/** Returns the record of the domain, else of its Organizational Domain, else of its Public Suffix Domain (section 4.10.1). */
const appliedTo = (domain: string, found: readonly Found[]): Found | undefined => {
  const last = found.at(-1);
  if (last?.name === domain || last?.tags.get("psd") !== "y") return last;
  const below = labelsOf(domain, last.name.split(".").length + 1);
  return found.find(({ name }) => name === below) ?? last;
};

const tagsOf = (value: string): Tags =>
  new Map(
    value.split(";").map((tag) => {
      const [name = "", ...text] = tag.split("=");
      return [name.trim().toLowerCase(), text.join("=").trim().toLowerCase()] as const;
    }),
  );

type Policy = "none" | "quarantine" | "reject";

/** Words of a policy, and the one that counts while it is tested. */
const POLICIES: Readonly<Record<Policy, { effect: string; tested: Policy }>> = {
  none: { effect: "is delivered", tested: "none" },
  quarantine: { effect: "goes to spam", tested: "none" },
  reject: { effect: "is refused", tested: "quarantine" },
};

const policyIn = (tags: Tags, tag: string): Policy | undefined => {
  const text = tags.get(tag) ?? "";
  return Object.hasOwn(POLICIES, text) ? (text as Policy) : undefined;
};

const hasReports = (tags: Tags): boolean =>
  (tags.get("rua") ?? "").split(",").some((uri) => /^\s*(?:mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)\s*$/.test(uri));

/** Returns the fault for which receivers do not read the policy (section 4.10.1). */
const policyFault = (tags: Tags): string | undefined => {
  const wrong = ["p", "sp", "np"].find((tag) => tags.get(tag) !== undefined && !policyIn(tags, tag));
  if (wrong === "p") return tags.get("p") === "" ? "names no policy" : `has the unknown policy "${said(tags, "p")}"`;
  if (wrong !== undefined) return `has the unknown policy ${wrong}="${said(tags, wrong)}"`;
  return tags.has("p") ? undefined : "names no policy";
};

const said = (tags: Tags, tag: string): string => short(tags.get(tag) ?? "");

const judged = (domain: string, { name, value, tags }: Found): Finding => {
  const isInherited = name !== domain;
  const host = hostOf(name);
  const fault = policyFault(tags);
  if (fault !== undefined) {
    const fix = "write p=none, p=quarantine or p=reject";
    return hasReports(tags)
      ? finding(
          "right",
          `The DMARC record at ${host} ${fault}: receivers read it as p=none, older ones not at all. So ${fix}.`,
          [value],
        )
      : finding("wrong", `The DMARC record at ${host} ${fault}: ${fix}.`, [value]);
  }
  const policy = (isInherited ? policyIn(tags, "sp") : undefined) ?? policyIn(tags, "p") ?? "none";
  const where = isInherited ? `The DMARC record of ${name} counts for this domain` : "There is a DMARC record";
  return finding("right", [`${where}.`, wordsOf(policy, tags), ...remarks(policy, tags, isInherited)].join(" "), [
    value,
  ]);
};

const wordsOf = (policy: Policy, tags: Tags): string => {
  const { effect, tested } = POLICIES[policy];
  if (policy !== "none" && tags.get("t") === "y")
    return `Its policy is ${policy}, and it is tested (t=y): forged mail ${POLICIES[tested].effect}. When the reports show that all your mail passes, remove t=y.`;
  const next =
    policy === "none" ? " When all your mail is signed, change it to quarantine, later to reject; t=y tests that." : "";
  return `Its policy is ${policy}: forged mail ${effect}.${next}`;
};

/** DKIM signs with the exact From domain, which passes strict alignment, and psd=y. */
const remarks = (policy: Policy, tags: Tags, isInherited: boolean): string[] => {
  const share = tags.get("pct") ?? "100";
  const isPartly = policy !== "none" && share !== "100";
  const removed = ["pct", "rf", "ri"].filter((tag) => tags.has(tag) && !(tag === "pct" && isPartly));
  const np = policyIn(tags, "np");
  return [
    ...(np && np !== policy ? [`For subdomains that do not exist it is ${np} (np).`] : []),
    ...(isPartly
      ? [
          `pct=${share.slice(0, 5)} left DMARC (RFC 9989), so that the policy is for all mail: replace it by t=y to test.`,
        ]
      : []),
    ...(removed.length > 0 ? [`Remove ${removed.map((tag) => `${tag}=`).join(", ")}: DMARC has that no more.`] : []),
    ...(tags.get("aspf") === "s" ? ["aspf=s ignores SPF on the envelope subdomain; DKIM is enough."] : []),
    ...(tags.get("psd") === "y" && !isInherited
      ? ["psd=y is for registries: it separates this domain from its envelope subdomain. Remove it."]
      : []),
  ];
};
