import { eventsOf } from "../sending/story.ts";
import { withCodeExplained } from "./codes.ts";
import { iso, meaningOf, type SendRow } from "./shown.ts";

/** Something that happened to a mail. `detail`: what was recorded of it. */
type Step = { at: string; what: string; text: string; detail?: Record<string, unknown> };

/** Lines of other kinds are shown with the words that were recorded. */
const TITLES: Readonly<Record<string, string>> = {
  copies_refused: "the relay refused copies",
  copy_bounced: "A copy bounced",
  copy_soft_bounced: "A copy bounced for now",
  copy_delivered: "A copy was delivered",
  copy_complained: "A recipient of a copy reported it as spam",
  deferred: "refused for now",
  refused: "refused for good",
  unknown: "the result is unknown",
  retried: "A person had it sent again",
  delivered: "The mail server of the recipient took it",
  delayed: "The mail server of the recipient has not taken it yet",
  bounced: "It bounced",
  soft_bounced: "It bounced for now",
  complained: "The recipient reported it as spam",
  opened: "It was opened",
  clicked: "A link in it was clicked",
  unsubscribed: "The recipient unsubscribed",
};

/** Everything that is known about a send, oldest first. A later line of the same moment stays later. */
export const storyOf = (sql: SqlStorage, row: SendRow): Step[] => {
  const happened = eventsOf(sql, row.n).map(({ at, kind, detail }) => stepOf(at, kind, JSON.parse(detail)));
  const reported = happened.find(({ what, detail }) => detail?.via !== undefined && /bounced$/.test(what));
  const steps = [accepted(row), ...(reported ? tookBefore(row, reported) : []), ...happened, ...settled(row, reported)];
  return steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
};

/** How a mail was accepted: the name of the operation in the API. */
export const operationOf = ({ class: mailClass, preview }: SendRow): string =>
  preview === 1 ? "emailMessages.preview" : mailClass === "transactional" ? "transactional.send" : "campaign";

const accepted = (row: SendRow): Step => {
  const mail = row.template_name === null ? "a message" : `"${row.template_name}"`;
  const how = row.preview === 1 ? `as a preview of ${mail}` : `as ${row.class} mail: ${mail}`;
  return { at: iso(row.created_at), what: "accepted", text: `Accepted ${how}.` };
};

const stepOf = (at: number, kind: string, detail: Record<string, unknown>): Step => {
  const { attempt, sender, message } = detail;
  const title = TITLES[kind] ?? kind.replaceAll("_", " ");
  const by = typeof sender === "string" && sender !== "" ? ` by ${sender}` : "";
  const said = typeof message === "string" && message !== "" ? `: ${withCodeExplained(message)}` : "";
  const text = attempt === undefined ? `${title}${said}` : `Attempt ${attempt}${by}: ${title}${said}`;
  return { at: iso(at), what: kind, text: /[.!?]$/.test(text) ? text : `${text}.`, detail };
};

/** A bounce that came back replaces the time at which the relay took the mail. */
const tookBefore = ({ attempts, sender, reply }: SendRow, { at }: Step): Step[] => {
  if (sender === null) return [];
  const said = reply === null || reply === "" ? "." : `: ${reply}`;
  return [{ at, what: "sent", text: `Attempt ${attempts} by ${sender} had been accepted${said}` }];
};

/** A first attempt that succeeds is recorded in the row only. `reported`: a bounce that came back, which says why it failed. */
const settled = (row: SendRow, reported: Step | undefined): Step[] => {
  const { state, settled_at: at, attempts, sender, reply } = row;
  if (at === null || reported) return [];
  if (["sent", "delivered", "complained"].includes(state) && sender !== null) {
    const said = reply === null || reply === "" ? "." : `: ${reply}`;
    const text = `Attempt ${attempts} by ${sender}: accepted${said}`;
    return [{ at: iso(at), what: "sent", text }];
  }
  return state === "not_sent" || state === "failed" ? [{ at: iso(at), what: state, text: meaningOf(row) }] : [];
};
