import type { Contact, PlannedCall } from "../../src/rules/types.ts";
import type { Problem } from "./problem.ts";
import { describe } from "./problem.ts";
import type { Planned, Run } from "./run.ts";

export const LEGEND =
  "contact = PUT /contacts/update   event = POST /events/send   mail = POST /transactional   delete = POST /contacts/delete";

const person = ({ email, userId, ref }: Contact): string =>
  [email, userId && `userId ${userId}`, ref && `whoever is ${ref}`].filter(Boolean).join(", ");

const pairs = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(" ");

const joined = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join("  ");

/** A call in a line, everything of it. */
const describeCall = (call: PlannedCall): string => {
  const who = person(call.contact);
  switch (call.action) {
    case "contact": {
      const lists = Object.entries(call.lists ?? {}).map(([name, joins]) => `${joins ? "joins" : "leaves"} ${name}`);
      return joined("contact", who, pairs(call.properties), lists.join(", "));
    }
    case "event":
      return joined("event  ", who, call.eventName, pairs(call.eventProperties));
    case "transactional": {
      const until = call.expiresAt === undefined ? "" : `until ${new Date(call.expiresAt).toISOString()}`;
      const audience = call.addToAudience && "adds to the audience";
      return joined(
        "mail   ",
        `${call.template} → ${who}`,
        pairs(call.dataVariables),
        call.urgent && "urgent",
        until,
        audience,
      );
    }
    default:
      return joined("delete ", who);
  }
};

/** The lines of one webhook: each rule on its type, and its calls or why there are none. */
const rows = ({ type, outcomes, calls }: Planned): [string, string][] =>
  outcomes.length === 0
    ? [["", `no rule is on ${type}`]]
    : outcomes.flatMap(({ rule, outcome, clause, message }): [string, string][] => {
        if (outcome === "failed") return [[rule, `FAILED   ${message ?? ""}`]];
        // Where Node took types away, it left spaces.
        if (outcome === "not matched") return [[rule, `not matched: ${(clause ?? "").replace(/\s+([),])/g, "$1")}`]];
        const made = calls.filter((call) => call.rule === rule).map(describeCall);
        return made.map((line, i): [string, string] => [i === 0 ? rule : "", line]);
      });

/** What the rules make of the fixtures of a source, as a table. */
export const table = (runs: readonly Run[], testData: boolean): string => {
  const width = Math.max(
    0,
    ...runs.flatMap(({ webhooks }) => webhooks.flatMap(({ outcomes }) => outcomes.map(({ rule }) => rule.length))),
  );
  return runs
    .flatMap(({ fixture, webhooks, unread }) => [
      `  ${fixture}${webhooks.some(({ test }) => test) ? `   (test data${testData ? "" : ": journalled, not sent"})` : ""}`,
      ...(unread === undefined ? [] : [`    cannot be read: ${unread}`]),
      ...webhooks.flatMap(rows).map(([rule, what]) => `    ${rule.padEnd(width)}  ${what}`.trimEnd()),
    ])
    .join("\n");
};

/** Problems, errors first, a line each and more where the message has more. */
export const list = (problems: readonly Problem[]): string =>
  [...problems]
    .sort((a, b) => Number(a.level === "note") - Number(b.level === "note"))
    .map((problem) => `${problem.level === "error" ? "✗" : "·"} ${describe(problem).replaceAll("\n", "\n    ")}`)
    .join("\n");
