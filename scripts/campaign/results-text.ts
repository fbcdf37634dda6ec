import { columns, table } from "../lib/cli.ts";
import { numberText, percentText, timeText } from "../lib/formats.ts";
import type { Explained, Links, Recipient, Results } from "./answers.ts";

/** `["opened", "400", "41.2 % of delivered"]`. */
const row = (what: string, many: number, whole: number, ofWhat: string, more = ""): string[] => {
  const share = percentText(many, whole);
  return [what, numberText(many), `${share && `${share} of ${ofWhat}`}${more}`];
};

/** `3.1 points more than Spring sale`. */
const points = (many: number, whole: number, before: number, wholeBefore: number): string => {
  const change = Math.round(1_000 * (many / whole - before / wholeBefore)) / 10;
  return change === 0 ? "as many" : `${Math.abs(change)} points ${change > 0 ? "more" : "fewer"}`;
};

const comparedText = ({ previous, delivered, opened, clicked }: Results): string[] => {
  if (!previous || delivered === 0 || previous.delivered === 0) return [];
  const opens = points(opened, delivered, previous.opened, previous.delivered);
  const clicks = points(clicked, delivered, previous.clicked, previous.delivered);
  return [`Compared with ${previous.name} (${previous.id}): opened ${opens}, clicked ${clicks}.`];
};

const leftOutText = ({ leftOut }: Results): string[] =>
  leftOut && leftOut.notSelected + leftOut.notOnList > 0
    ? [
        `No recipients: ${numberText(leftOut.notSelected)} did not match segment or filter, ${numberText(leftOut.notOnList)} were not on the list.`,
      ]
    : [];

/** Opens and clicks are those of people. */
export const resultsText = (results: Results, links: Links["data"]): string => {
  const { id, name, status, recipients, sent, delivered, bounced, hardBounces, softBounces, opened, clicked } = results;
  const { complained, unsubscribed, prefetched, scanned, reasons, deleted } = results;
  const others = (["queued", "skipped", "failed", "unknown", "cancelled"] as const).filter(
    (state) => results[state] > 0,
  );
  // A mail refused for its address was never sent: a share of sent mails could exceed 100 %.
  const ofHandedOver = (what: string, many: number, more = "") =>
    row(what, many, delivered + bounced, "delivered and bounced", more);
  const ofDelivered = (what: string, many: number) => row(what, many, delivered, "delivered");
  return [
    `${name} (${id}): ${status}`,
    columns([
      ["audience", numberText(recipients)],
      ...others.map((state) => row(state, results[state], recipients, "the audience")),
      row("sent", sent, recipients, "the audience"),
      ofHandedOver("bounced", bounced, bounced > 0 ? ` (${hardBounces} hard, ${softBounces} soft)` : ""),
      ofHandedOver("delivered", delivered),
      ofDelivered("opened", opened),
      ofDelivered("clicked", clicked),
      ofDelivered("unsubscribed", unsubscribed),
      ofDelivered("complained", complained),
    ]),
    ...comparedText(results),
    ...leftOutText(results),
    ...(prefetched + scanned > 0
      ? [
          `Not counted as opens: ${numberText(prefetched)} mails loaded ahead by a privacy proxy, ${numberText(scanned)} opened by a program.`,
        ]
      : []),
    ...(deleted > 0 ? [`Contacts deleted since then: ${numberText(deleted)}.`] : []),
    ...(reasons.length > 0
      ? [
          "",
          table(
            ["state", "reason", "recipients"],
            reasons.map((reason) => [reason.state, reason.meaning, numberText(reason.recipients)]),
          ),
        ]
      : []),
    ...(links.length > 0
      ? [
          "",
          table(
            ["link", "clicks", "people", ""],
            links.map(({ url, clicks, people }) => [
              url ?? "(differs from mail to mail)",
              numberText(clicks),
              numberText(people),
              percentText(people, delivered),
            ]),
          ),
        ]
      : []),
  ].join("\n");
};

export const recipientsText = (all: readonly Recipient[]): string =>
  table(
    ["recipient", "state", "what happened", "opened", "clicked"],
    all.map(({ email, userId, contactId, state, meaning, openedAt, clickedAt }) => [
      email ?? userId ?? contactId,
      state,
      meaning,
      timeText(openedAt),
      timeText(clickedAt),
    ]),
  );

export const explainedText = ({ contact, text, story, sendUrl }: Explained): string => {
  const who = contact.email ?? contact.userId ?? contact.id;
  return [
    `${who} (${contact.id})`,
    text,
    ...story.map(({ at, text: line }) => `  ${timeText(at)}  ${line}`),
    ...(sendUrl === null ? [] : [`Its mail: ${sendUrl}`]),
  ].join("\n");
};
