import { barredBy, type Recipients } from "../../src/outbox/model/recipients.ts";
import type { Contact, PlannedDelivery } from "../../src/rules/types.ts";
import { columns } from "../lib/cli.ts";
import { isDifference } from "./by-rule.ts";
import { type Problem, textOf } from "./problem.ts";
import type { Planned, Run } from "./run.ts";

export const LEGEND =
  "contact = PUT /contacts/update   event = POST /events/send   mail = POST /transactional   delete = POST /contacts/delete";

const personOf = ({ email, userId, ref }: Contact): string =>
  [email, userId && `userId ${userId}`, ref && `the person with ref ${ref}`].filter(Boolean).join(", ");

/** `names`: objects for names that the Outbox fills in. */
const pairs = (values: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...Object.fromEntries(Object.keys(names).map((name) => [name, undefined])), ...values })
    .map(([name, value]) => {
      const known = [names[name] && `<name of ${names[name]}>`, value !== undefined && JSON.stringify(value)];
      return `${name}=${known.filter(Boolean).join(" or ")}`;
    })
    .join(" ");

const joined = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join("  ");

const describeDelivery = (delivery: PlannedDelivery): string => {
  const person = personOf(delivery.contact);
  switch (delivery.action) {
    case "contact": {
      const lists = Object.entries(delivery.lists ?? {}).map(
        ([name, joins]) => `${joins ? "joins" : "leaves"} ${name}`,
      );
      return joined("contact", person, pairs(delivery.properties, delivery.names), lists.join(", "));
    }
    case "event":
      return joined("event  ", person, delivery.eventName, pairs(delivery.eventProperties, delivery.names));
    case "transactional": {
      const until = delivery.expiresAt === undefined ? "" : `until ${new Date(delivery.expiresAt).toISOString()}`;
      const audience = delivery.addToAudience && "adds to the audience";
      return joined(
        "mail   ",
        `${delivery.template} → ${person}`,
        pairs(delivery.dataVariables),
        delivery.urgent && "urgent",
        until,
        audience,
      );
    }
    default:
      return joined("delete ", person);
  }
};

const skippedBy = (delivery: PlannedDelivery, recipients: Recipients): string => {
  const { email } = delivery.contact;
  const reason = email === undefined ? undefined : barredBy(recipients, delivery, email);
  return reason === undefined ? "" : `  skipped: ${reason}`;
};

const rows = ({ type, outcomes, deliveries, names = [] }: Planned, recipients: Recipients): [string, string][] =>
  outcomes.length === 0
    ? [
        ["", `no rule for ${type}`],
        ...names.map(({ id, name }): [string, string] => ["", `the name of ${id}: ${name}`]),
      ]
    : outcomes.flatMap(({ rule, outcome, clause, message }): [string, string][] => {
        if (outcome === "failed") return [[rule, `FAILED   ${message ?? ""}`]];
        if (outcome === "not matched") return [[rule, `not matched: ${clause ?? message ?? ""}`]];
        const made = deliveries
          .filter((delivery) => delivery.rule === rule)
          .map((delivery) => describeDelivery(delivery) + skippedBy(delivery, recipients));
        return made.map((line, i): [string, string] => [i === 0 ? rule : "", line]);
      });

export const table = (
  runs: readonly Run[],
  testData: boolean,
  recipients: Recipients = { allowed: [], ignored: [] },
): string => {
  const note = testData ? "test data" : "test data: kept in the journal, not sent";
  return columns(
    runs.flatMap(({ fixture, webhooks, unread }) => [
      [`  ${fixture}${webhooks.some(({ test }) => test) ? `   (${note})` : ""}`],
      ...(unread === undefined ? [] : [[`    cannot be read: ${unread}`]]),
      ...webhooks.flatMap((webhook) => rows(webhook, recipients)).map(([rule, text]) => [`    ${rule}`, text]),
    ]),
  );
};

const placeOf = ({ level, first }: Problem): number => (first ? 0 : level === "error" ? 1 : 2);

/** Lists problems: types and rules that throw, other errors, notes. Differences from golden files are left out. */
export const list = (problems: readonly Problem[]): string =>
  problems
    .filter((problem) => !isDifference(problem))
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((problem) => `${problem.level === "error" ? "✗" : "·"} ${textOf(problem).replaceAll("\n", "\n    ")}`)
    .join("\n");
