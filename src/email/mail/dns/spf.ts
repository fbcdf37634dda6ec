import { type Answers, type Question, questionKey } from "./answer.ts";
import { type Finding, finding, short } from "./finding.ts";

/** Query limit of SPF (RFC 7208 section 4.6.4). */
const MAX_QUERIES = 10;

export const isSpf = (value: string): boolean => /^v=spf1( |$)/i.test(value);

const termsOf = (value: string): string[] => value.trim().split(/ +/).slice(1);

const mechanismOf = (term: string): string => term.replace(/^[+?~-]/, "").toLowerCase();

/** `queries` stops at 11; `needs` are unknown names. `broken`: not evaluable. `failed`: DNS error. */
type Walk = { queries: number; needs: Question[]; broken?: string; failed?: string };

export const walkSpf = (value: string, answers: Answers): Walk => {
  const walk: Walk = { queries: 0, needs: [] };
  visit(value, answers, walk);
  return walk;
};

const visit = (value: string, answers: Answers, walk: Walk): void => {
  const terms = termsOf(value);
  const hasAll = terms.some((term) => mechanismOf(term) === "all");
  for (const term of terms) {
    const [, name = "", target] =
      /^(include|a|mx|ptr|exists|redirect|all)(?:[:=/](.*))?$/.exec(mechanismOf(term)) ?? [];
    // Terms after "all" and a redirect beside it are ignored (RFC 7208 section 6.1).
    if (name === "all") return;
    if (name === "" || (name === "redirect" && hasAll)) continue;
    walk.queries += 1;
    if (walk.queries > MAX_QUERIES || walk.broken !== undefined) return;
    if (name === "include" || name === "redirect") enter(term, target ?? "", answers, walk);
  }
};

const enter = (term: string, host: string, answers: Answers, walk: Walk): void => {
  // A macro gives another name for each mail.
  if (host.includes("%")) return;
  const question = { type: "TXT", host: host.replace(/\.$/, "") } as const;
  const answer = answers.get(questionKey(question));
  if (!answer) walk.needs.push(question);
  else if (answer.status === "failed") walk.failed ??= `${short(term)} could not be looked up: ${answer.reason}`;
  else {
    const records = answer.status === "found" ? answer.values.filter(isSpf) : [];
    const [record] = records;
    if (record === undefined || records.length > 1) {
      const count = record === undefined ? "no SPF record" : `${records.length} SPF records`;
      walk.broken = `${short(term)} leads to a name with ${count}`;
    } else visit(record, answers, walk);
  }
};

/** Judges SPF. `values` are all TXT records. */
export const judgeSpf = (
  { host, value: wanted, mechanisms }: { host: string; value: string; mechanisms: readonly string[] },
  values: readonly string[],
  answers: Answers,
): Finding => {
  const records = values.filter(isSpf);
  const [record] = records;
  if (record === undefined) return withoutSpf(host, wanted, values);
  if (records.length > 1) {
    const joined = `v=spf1 ${[...new Set([...records.flatMap(mechanismsOf), ...mechanisms])].join(" ")} ~all`;
    return finding(
      "wrong",
      `There are ${records.length} SPF records at ${host}. Receivers then use none of them (permerror). Replace them by one: ${joined}`,
      records,
    );
  }
  const wrong = (message: string) => finding("wrong", message, [record]);
  const read = mechanismsOf(record).map(mechanismOf);
  const lacking = mechanisms.filter((mechanism) => !read.includes(mechanism.toLowerCase()));
  if (lacking.length > 0) {
    const completed = `v=spf1 ${[...mechanismsOf(record), ...lacking].join(" ")} ${allOf(record) ?? "~all"}`;
    return wrong(`The SPF record does not have ${lacking.join(" ")}. Change it to: ${completed}`);
  }
  if (/^\+?all$/i.test(allOf(record) ?? "")) {
    return wrong("The SPF record ends with +all, which lets every server of the world send. Write ~all.");
  }
  const { queries, broken, failed } = walkSpf(record, answers);
  if (queries > MAX_QUERIES) {
    return wrong(
      `The SPF record causes more than ${MAX_QUERIES} DNS queries, so that receivers ignore it (permerror). Remove mechanisms that are not needed.`,
    );
  }
  if (broken !== undefined)
    return wrong(`Receivers ignore the SPF record (permerror): ${broken}. Remove or correct it.`);
  if (failed !== undefined)
    return finding("unknown", `The SPF record could not be checked to its end: ${failed}. The check is repeated.`, [
      record,
    ]);
  return finding("right", `The SPF record is right. It causes ${queries} of ${MAX_QUERIES} possible DNS queries.`, [
    record,
  ]);
};

const withoutSpf = (host: string, wanted: string, values: readonly string[]): Finding => {
  const quoted = values.find((value) => /^["\\]+v=spf1/i.test(value));
  if (quoted !== undefined)
    return finding("wrong", "The value has quotation marks in it. Enter it without them.", [quoted]);
  const similar = values.find((value) => /spf/i.test(value));
  if (similar !== undefined)
    return finding(
      "wrong",
      `The text at ${host} is no SPF record: it must begin with "v=spf1 ". Change it to: ${wanted}`,
      [similar],
    );
  return finding(
    "missing",
    `None of the TXT records at ${host} is an SPF record. Add it; the others may stay.`,
    values,
  );
};

const mechanismsOf = (record: string): string[] => {
  const terms = termsOf(record);
  const end = terms.findIndex((term) => mechanismOf(term) === "all");
  return end < 0 ? terms : terms.slice(0, end);
};

const allOf = (record: string): string | undefined => termsOf(record).find((term) => mechanismOf(term) === "all");
