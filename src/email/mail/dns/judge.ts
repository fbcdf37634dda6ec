import { type Answers, type Question, questionKey, type Resolve } from "./answer.ts";
import { judgeDkim } from "./dkim.ts";
import { dmarcHosts, judgeDmarc } from "./dmarc.ts";
import { type Finding, missing, unknown } from "./finding.ts";
import { judgeMx } from "./mx.ts";
import { organizationalDomain } from "./name.ts";
import type { ExpectedRecord } from "./records.ts";
import { isSpf, judgeSpf, walkSpf } from "./spf.ts";

/** Records may include others. */
const MAX_ROUNDS = 12;

/** Asks all questions for `judge`; answers may add questions. */
export const gather = async (expected: readonly ExpectedRecord[], resolve: Resolve): Promise<Answers> => {
  const answers = new Map<string, Awaited<ReturnType<Resolve>>>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = new Map(
      expected.flatMap((record) => questionsFor(record, answers)).map((question) => [questionKey(question), question]),
    );
    const questions = [...open].filter(([key]) => !answers.has(key));
    if (questions.length === 0) break;
    await Promise.all(questions.map(async ([key, question]) => answers.set(key, await resolve(question))));
  }
  return answers;
};

const questionsFor = (record: ExpectedRecord, answers: Answers): Question[] => {
  if (record.kind === "dmarc") return dmarcHosts(record, answers).map((host) => ({ type: "TXT", host }));
  const { type, host } = record;
  const answer = answers.get(questionKey({ type, host }));
  if (answer?.status === "none")
    return [{ type, host }, ...misplacedHosts(host).map((other) => ({ type, host: other }))];
  const found = record.kind === "spf" && answer?.status === "found" ? answer.values.filter(isSpf) : [];
  // Several SPF records are already wrong.
  return [{ type, host }, ...(found.length === 1 ? walkSpf(found[0] ?? "", answers).needs : [])];
};

/** DNS providers may add the domain twice. */
const misplacedHosts = (host: string): string[] => {
  const organization = organizationalDomain(host);
  return organization === undefined ? [] : [`${host}.${organization}`];
};

/** Compares expected records with DNS; findings keep the order. */
export const judge = (expected: readonly ExpectedRecord[], answers: Answers): Finding[] =>
  expected.map((record) => {
    if (record.kind === "dmarc") return judgeDmarc(record, answers);
    const { type, host } = record;
    const answer = answers.get(questionKey({ type, host }));
    if (!answer) return unknown(host, "it was not asked for");
    if (answer.status === "failed") return unknown(host, answer.reason);
    if (answer.status === "none") return missing(type, host, answer.via, misplacedOf(record, answers));
    if (record.kind === "dkim") return judgeDkim(record, answer);
    if (record.kind === "spf") return judgeSpf(record, answer.values, answers);
    const servers = expected
      .filter((expectedRecord) => expectedRecord.kind === "mx" && expectedRecord.host === host)
      .map(({ value }) => value);
    return judgeMx(record, servers, answer);
  });

const misplacedOf = ({ type, host }: ExpectedRecord, answers: Answers) => {
  for (const other of misplacedHosts(host)) {
    if (answers.get(questionKey({ type, host: other }))?.status !== "found") continue;
    return { host: other, instead: host.slice(0, host.length - (other.length - host.length)) };
  }
  return undefined;
};

export const verdictOf = (
  expected: readonly Pick<ExpectedRecord, "required">[],
  findings: readonly Pick<Finding, "status">[],
): "right" | "wrong" | "unknown" => {
  const needed = findings.filter((_, n) => expected[n]?.required).map(({ status }) => status);
  if (needed.every((status) => status === "right")) return "right";
  return needed.some((status) => status === "missing" || status === "wrong") ? "wrong" : "unknown";
};
