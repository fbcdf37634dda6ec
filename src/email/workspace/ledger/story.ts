import { eventsOf } from "../sending/story.ts";
import { withCodeExplained } from "./codes.ts";
import { iso, meaningOf, type SendRow } from "./shown.ts";

/** Something that happened to a mail. `detail`: what was recorded of it. */
type Step = { at: string; what: string; text: string; detail?: Record<string, unknown> };

/** Lines of other kinds are shown with the words that were recorded. */
const TITLES: Readonly<Record<string, string>> = {
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
  const steps = [accepted(row), ...happened, ...settled(row)];
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

/** A first attempt that succeeds is recorded in the row only. */
const settled = (row: SendRow): Step[] => {
  const { state, settled_at: at, attempts, sender, reply } = row;
  if (at === null) return [];
  if (["sent", "delivered", "complained"].includes(state) && sender !== null) {
    const said = reply === null || reply === "" ? "." : `: ${reply}`;
    const text = `Attempt ${attempts} by ${sender}: accepted${said}`;
    return [{ at: iso(at), what: "sent", text }];
  }
  return state === "not_sent" || state === "failed" ? [{ at: iso(at), what: state, text: meaningOf(row) }] : [];
};
