import { isoOf } from "../../../lib/util/dates.ts";
import { type Seen, seenOf, times } from "../sending/marketing/opens-and-clicks.ts";
import { eventsOf } from "../sending/send-events.ts";
import { withCodeExplained } from "./codes.ts";
import type { SendRow } from "./send-rows.ts";
import { meaningOf } from "./send-state-words.ts";

/** An event of a mail's history. `detail`: its recorded data. */
export type Step = { at: string; what: string; text: string; detail?: Record<string, unknown> };

/** Other kinds show the recorded text. */
const TITLES: Readonly<Record<string, string>> = {
  copies_refused: "the mail provider refused copies, which are not sent again",
  copy_bounced: "A copy bounced",
  copy_soft_bounced: "A copy bounced for now",
  copy_answered: "A copy got an automatic answer, or bounced without a reason",
  copy_delivered: "A copy was delivered",
  copy_complained: "A recipient of a copy reported it as spam",
  deferred: "refused for now",
  refused: "refused",
  unknown: "the result is unknown",
  retried: "A person had it sent again",
  delivered: "The mail server of the recipient took it",
  delayed: "The mail server of the recipient has not taken it yet",
  answered: "An automatic answer came, such as out of office, or a bounce without a reason",
  bounced: "It bounced",
  soft_bounced: "It bounced for now",
  complained: "The recipient reported it as spam",
  unsubscribed: "The recipient unsubscribed",
  resubscribed: "The recipient subscribed again",
  confirmed: "The recipient confirmed the subscription",
  declined: "The recipient declined the subscription",
};

/** Returns the history of a send, oldest first. Equal times keep their order. */
export const storyOf = (sql: SqlStorage, row: SendRow): Step[] => {
  const happened = eventsOf(sql, row.n).map(({ at, kind, detail }) => stepOf(at, kind, JSON.parse(detail)));
  const seen = seenOf(sql, row.n).map(seenStep);
  // An attempt follows its cause at equal times, and a report follows the attempt.
  const { reports = [], others = [] } = Object.groupBy(happened, ({ detail }) => (detail?.via ? "reports" : "others"));
  const steps = [accepted(row), ...others, ...taken(row, happened), ...reports, ...ended(row, happened), ...seen];
  return steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
};

const BY: Readonly<Record<Seen["by"], string>> = {
  human: "",
  proxy: ", behind a privacy proxy",
  prefetch: " ahead by a privacy proxy, which does not say whether it is read",
  scanner: " by a scanner, not by a person",
};

const seenStep = ({ at, what, by, count, url }: Seen): Step => {
  const subject =
    what === "clicked" ? `The link ${url} was opened` : by === "prefetch" ? "It was loaded" : "It was opened";
  const text = `${subject}${BY[by]}, ${times(count)}.`;
  return { at: isoOf(at), what, text, detail: { by, count, ...(url === undefined ? {} : { url }) } };
};

/** Returns the API operation or the sender of a mail. */
export const operationOf = ({ class: mailClass, preview, origin }: SendRow): string => {
  if (preview === 1) return "emailMessages.preview";
  return mailClass === "transactional" ? "transactional.send" : (origin ?? "campaign");
};

const accepted = (row: SendRow): Step => {
  const mail = nameOf(row) ?? "a message";
  const how = row.preview === 1 ? `as a preview of ${mail}` : `as ${row.class} mail: ${mail}`;
  return { at: isoOf(row.created_at), what: "accepted", text: `Accepted ${how}.` };
};

const nameOf = ({ template_name: template, campaign_name: campaign, workflow_name: workflow }: SendRow) => {
  if (template !== null) return `"${template}"`;
  if (campaign !== null) return `the campaign "${campaign}"`;
  return workflow === null ? undefined : `the workflow "${workflow}"`;
};

const stepOf = (at: number, kind: string, detail: Record<string, unknown>): Step => {
  const { attempt, sender, message } = detail;
  const title = TITLES[kind] ?? kind.replaceAll("_", " ");
  const by = typeof sender === "string" && sender !== "" ? ` by ${sender}` : "";
  const said = typeof message === "string" && message !== "" ? `: ${withCodeExplained(message)}` : "";
  const text = attempt === undefined ? `${title}${said}` : `Attempt ${attempt}${by}: ${title}${said}`;
  return { at: isoOf(at), what: kind, text: /[.!?]$/.test(text) ? text : `${text}.`, detail };
};

/** Only a mail that a mail provider accepted has a bounce report. */
const isReported = ({ what, detail }: Step): boolean => detail?.via !== undefined && /^(soft_)?bounced$/.test(what);

/** The successful attempt is recorded only in the row. */
const taken = ({ state, settled_at: at, attempts, sender, reply }: SendRow, happened: readonly Step[]): Step[] => {
  const isTaken = ["sent", "delivered", "complained"].includes(state) || happened.some(isReported);
  const failed = happened.some(
    ({ what, detail }) => detail?.attempt === attempts && ["refused", "deferred"].includes(what),
  );
  if (at === null || sender === null || !isTaken || failed) return [];
  const said = reply === null || reply === "" ? "." : `: ${reply}`;
  return [{ at: isoOf(at), what: "sent", text: `Attempt ${attempts} by ${sender}: accepted${said}` }];
};

const ended = (row: SendRow, happened: readonly Step[]): Step[] => {
  const { state, settled_at: at } = row;
  if (at !== null && state === "unknown" && happened.some(({ what }) => what === "retried")) {
    const text = "It was not sent again, so its result stays unknown.";
    return happened.at(-1)?.what === "unknown" ? [] : [{ at: isoOf(at), what: state, text }];
  }
  if (at === null || happened.some(isReported)) return [];
  // The state is of the newest attempt. An earlier attempt may still have sent the mail.
  const mayHaveLeft = happened.some(({ what }) => what === "unknown");
  const isEnd = ["not_sent", "failed"].includes(state) || (state === "bounced" && mayHaveLeft);
  const text = mayHaveLeft ? `${meaningOf(row)} An earlier attempt may have reached the recipient.` : meaningOf(row);
  return isEnd ? [{ at: isoOf(at), what: state, text }] : [];
};
