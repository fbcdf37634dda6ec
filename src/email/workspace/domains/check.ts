import { log } from "../../../lib/util/log.ts";
import type { Resolve } from "../../mail/dns/answer.ts";
import type { Finding } from "../../mail/dns/finding.ts";
import { gather, judge, verdictOf } from "../../mail/dns/judge.ts";
import { type Envelope, type ExpectedRecord, recordsOf } from "../../mail/dns/records.ts";
import { firstTime } from "../core/chore.ts";
import type { EventCalls } from "../core/event-calls.ts";
import { type Domain, findDomain, keysOf, makeDefault, promoteKey, readDomains, recordKey } from "./domain-rows.ts";
import { isUsable, nextCheck, standingAfter } from "./state.ts";

/** Questions of one check: a domain has about ten records, and its SPF record ten look-ups. */
const MOST_QUESTIONS = 30;
/** In ms. */
const LEASE_MS = 600_000;

type CheckDependencies = {
  sql: SqlStorage;
  transaction<T>(work: () => T): T;
  envelope: Envelope | undefined;
  resolve: Resolve;
  now(): number;
  calls?: EventCalls;
};

export const expectedOf = (sql: SqlStorage, { n, name }: Domain, envelope: Envelope | undefined): ExpectedRecord[] =>
  recordsOf(name, keysOf(sql, n), envelope);

/** Next check in Unix ms; infinity if none. */
export const nextDomainCheck = (sql: SqlStorage): number =>
  firstTime(sql, "SELECT min(next_check) AS at FROM domains WHERE next_check IS NOT NULL");

/** Checks the domain that is due for longest: an event has a limit of requests. The next alarm checks another. Returns false if none is due. A failed check is logged. */
export const checkDueDomain = async (dependencies: CheckDependencies): Promise<boolean> => {
  const now = dependencies.now();
  // Set before the check, so the alarm does not start it twice.
  const [due] = dependencies.sql
    .exec<{ id: string }>(
      "UPDATE domains SET next_check = ? WHERE n IN (SELECT n FROM domains WHERE next_check <= ? ORDER BY next_check LIMIT 1) RETURNING id",
      now + LEASE_MS,
      now,
    )
    .toArray();
  if (!due) return false;
  try {
    await checkDomain(dependencies, due.id);
  } catch (error) {
    log("domain_check_failed", { domain: due.id, error: error instanceof Error ? error.message : String(error) });
  }
  return true;
};

/** Answers at most so many questions; the others stay unknown, and the check is repeated. */
const atMost = (most: number, resolve: Resolve): Resolve => {
  let asked = 0;
  return async (question) => {
    asked += 1;
    return asked <= most
      ? resolve(question)
      : { status: "failed", reason: `the records lead to more than ${most} questions` };
  };
};

/** Ignores an unknown domain. */
export const checkDomain = async (dependencies: CheckDependencies, id: string): Promise<void> => {
  const { sql, envelope, resolve, transaction, now, calls } = dependencies;
  const domain = findDomain(sql, id);
  if (!domain) return;
  const expected = expectedOf(sql, domain, envelope);
  // Set aside at once, because other work takes calls while answers come.
  calls?.take(MOST_QUESTIONS);
  const findings = judge(expected, await gather(expected, atMost(MOST_QUESTIONS, resolve)));
  transaction(() => record(dependencies, id, expected, findings, now()));
};

const record = (
  { sql, envelope }: CheckDependencies,
  id: string,
  checked: readonly ExpectedRecord[],
  findings: readonly Finding[],
  now: number,
): void => {
  // The domain may have changed during the DNS query.
  const before = findDomain(sql, id);
  if (!before) return;
  const found = Object.fromEntries(findings.map((finding, n) => [recordKey(checked[n] ?? EMPTY), finding]));
  const keys = keysOf(sql, before.n);
  const rightSelectors = new Set(
    checked.flatMap((expectedRecord, n) =>
      expectedRecord.kind === "dkim" && findings[n]?.status === "right" ? [expectedRecord.selector] : [],
    ),
  );
  const next = keys.find(({ selector, state }) => state === "next" && rightSelectors.has(selector));
  if (next) promoteKey(sql, before.n, next.selector, now);
  const expected = expectedOf(sql, before, envelope);
  const verdict = verdictOf(
    expected,
    expected.map((expectedRecord) => found[recordKey(expectedRecord)] ?? { status: "unknown" }),
  );
  // A manual check restarts the period of a pending domain.
  const since = before.nextCheckAt === null ? now : before.since;
  const after = standingAfter({ ...before, since }, verdict, now);
  const waiting = next ? undefined : keys.find(({ state }) => state === "next")?.createdAt;
  sql.exec(
    "UPDATE domains SET state = ?, since = ?, failing_since = ?, checked_at = ?, next_check = ?, findings = ? WHERE n = ?",
    after.state,
    after.since,
    after.failingSince,
    now,
    nextCheck(after, verdict, now, waiting),
    JSON.stringify(found),
    before.n,
  );
  if (after.state === before.state) return;
  log("domain_state", { domain: before.name, from: before.state, to: after.state });
  // The first verified domain replaces a default that was never verified.
  const standard = readDomains(sql).find(({ isDefault }) => isDefault);
  if (isUsable(after) && standard?.state === "pending") makeDefault(sql, before.n);
};

const EMPTY = { type: "", host: "", value: "" };
