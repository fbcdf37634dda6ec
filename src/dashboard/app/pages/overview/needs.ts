import type { api } from "../../api/api.ts";
import type { IconName } from "../../parts/icon-paths.ts";
import { capital, counted, drainText, NOUNS } from "../../parts/ledger/ledger-words.ts";
import type { Cause } from "../../parts/ledger/types.ts";

type Status = Awaited<ReturnType<typeof api.bridge.dispatch.status>>;
export type Problem = Status["health"]["problems"][number];
export type Attention = Awaited<ReturnType<typeof api.email.overview.get>>["attention"][number];

type Tone = "bad" | "warn";

/** A thing that needs a person. `to`: its page. `since`, `last`: ISO times. `resume`: the sources of a pause, "" for all. */
export type Need = {
  key: string;
  tone: Tone;
  icon?: IconName;
  title: string;
  text: string;
  since?: string | null;
  last?: string | null;
  facts?: readonly string[];
  to: string;
  team?: string;
  step: string;
  resume?: readonly string[];
  /** Deliveries to retry. */
  retry?: Cause;
};

type Words = { tone: Tone; title: string; to?: string; icon?: IconName };

const THROUGHPUT = "/deliveries/throughput";

/** `of`: title of the source. */
const WORDS: Readonly<Record<Problem["kind"], (of: string) => Words>> = {
  storage: () => ({ tone: "bad", title: "The bridge cannot write" }),
  admin_token: () => ({ tone: "warn", title: "The admin token is not safe", icon: "key" }),
  outage: () => ({ tone: "bad", title: "The email service does not answer" }),
  blocked: () => ({ tone: "bad", title: "The email service refuses the API key", icon: "key" }),
  full: (of) => ({ tone: "bad", title: `${of} is full: new webhooks are refused`, to: "/deliveries/waiting" }),
  refusing: (of) => ({ tone: "bad", title: `${of}: every webhook is refused`, icon: "verified" }),
  stalled: () => ({ tone: "bad", title: "Deliveries have stopped" }),
  deliveries: () => ({ tone: "bad", title: "Deliveries failed", to: "/deliveries" }),
  late: () => ({ tone: "warn", title: "Deliveries are late", icon: "clock" }),
  journal: () => ({ tone: "warn", title: "The journal is full" }),
  foreign_answers: () => ({ tone: "warn", title: "A proxy answers in place of the email service" }),
  backoff: () => ({ tone: "warn", title: "The email service slows deliveries down", icon: "clock" }),
  nearly_full: (of) => ({ tone: "warn", title: `${of} is nearly full`, to: "/deliveries/waiting" }),
  thin_events: (of) => ({ tone: "warn", title: `${of}: thin events cannot be read`, icon: "key" }),
  fetch_back: (of) => ({ tone: "warn", title: `${of}: its API cannot be asked`, icon: "key" }),
  alerts: () => ({ tone: "warn", title: "Alerts do not arrive", to: "/alerts" }),
  paused: () => ({ tone: "warn", title: "Delivery is paused", icon: "pause" }),
};

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

type Named = { titleOf: (source: string) => string; paused: Status["paused"] };

/** A problem of the bridge. Its message begins with its kind in words. */
export const needOfProblem = (problem: Problem, { titleOf, paused }: Named): Need => {
  const { kind, source, message, cure, count, since, last } = problem;
  const { tone, title, icon, to } = WORDS[kind](source === null ? "A source" : titleOf(source));
  const what = ended(capital(message.slice(message.indexOf(": ") + 2)));
  const facts = count === null || kind === "full" || kind === "nearly_full" ? [] : [counted(count, "time")];
  const own = { key: `${kind} ${source ?? ""}`, tone, since, last, ...(icon ? { icon } : {}) };
  if (kind === "paused") {
    const names = Object.keys(paused.sources);
    const all = paused.all !== null;
    const of = names.map(titleOf).join(", ");
    return {
      ...own,
      title: all ? title : `${of} ${names.length === 1 ? "is" : "are"} paused`,
      text: "A person paused it. Webhooks are still accepted, and nothing is lost.",
      to: THROUGHPUT,
      step: "Details",
      resume: [...(all ? [""] : []), ...names],
    };
  }
  const place = source === null ? THROUGHPUT : `/sources/${encodeURIComponent(source)}`;
  return { ...own, title, text: `${what} ${cure}`, facts, to: to ?? place, step: "Details" };
};

/** Deliveries that failed or need a decision, for one cause. */
export const needOfCause = (given: Cause): Need => {
  const { cause, rule, source, action, state, count, message, cure, first, last } = given;
  const are = state === "failed" ? "failed" : count === 1 ? "needs a decision" : "need a decision";
  return {
    key: JSON.stringify([cause, source, rule, action, state]),
    tone: state === "failed" ? "bad" : "warn",
    icon: state === "failed" ? "failed" : "info",
    title: `${counted(count, NOUNS[action])} ${are}: ${message.split(/\.(?: |$)/)[0] ?? ""}`,
    text: cure,
    since: first,
    last,
    facts: [`Rule ${rule}`],
    to: "/deliveries",
    step: "Show how to fix",
    ...(state === "failed" ? { retry: given } : {}),
  };
};

const EMAIL: Readonly<Record<Attention["kind"], { tone: Tone; icon?: IconName; step: string }>> = {
  campaign_held: { tone: "warn", icon: "pause", step: "Show the campaign" },
  bounce_wave: { tone: "warn", icon: "suppressed", step: "Decide" },
  unknown_mails: { tone: "warn", icon: "info", step: "Show the mails" },
  domain_broken: { tone: "bad", icon: "domain", step: "Show the records" },
  domain_pending: { tone: "warn", icon: "domain", step: "Show the records" },
  domain_missing: { tone: "bad", icon: "domain", step: "Add a domain" },
  sender_not_ready: { tone: "bad", step: "Show the domains" },
  sender_failing: { tone: "bad", step: "Show the mails" },
  webhook_disabled: { tone: "warn", icon: "link", step: "Show the webhook" },
  storage_filling: { tone: "warn", step: "Show the settings" },
};

const placeOf = (kind: Attention["kind"], { campaign, domain, webhook }: Record<string, string>): string => {
  if (campaign !== undefined) return `/campaigns/${campaign}`;
  if (domain !== undefined) return `/settings/domains/${domain}`;
  if (webhook !== undefined) return `/settings/webhooks/${webhook}`;
  switch (kind) {
    case "bounce_wave":
      return "/people/suppressed";
    case "unknown_mails":
    case "sender_failing":
      return "/sent";
    case "domain_missing":
    case "sender_not_ready":
      return "/settings/domains";
    default:
      return "/settings";
  }
};

/** A thing that the email service names: the first sentence is the title. */
export const needOfEmail = ({ kind, text, ids }: Attention, team: string): Need => {
  const [title = text, ...rest] = text.split(/(?<=\.) /);
  return {
    key: `${kind} ${JSON.stringify(ids)}`,
    ...EMAIL[kind],
    title: title.replace(/\.$/, ""),
    text: rest.join(" "),
    to: placeOf(kind, ids),
    team,
  };
};

/** The worst first; within a tone the order of the services. Deliveries that failed are there by their causes. */
export const sorted = (needs: readonly Need[]): Need[] => [
  ...needs.filter(({ tone }) => tone === "bad"),
  ...needs.filter(({ tone }) => tone === "warn"),
];

export type Verdict = { tone: "good" | "warn" | "bad" | "quiet"; title: string; text?: string };

type Known = {
  needs: readonly Need[];
  /** Services without an answer, as "The bridge". */
  silent: readonly string[];
  status: Pick<Status, "dispatch" | "waiting" | "backlog" | "paused"> | undefined;
  isComplete: boolean;
  /** Unix ms. */
  now: number;
};

const MINUTE = 60_000;

const waitText = (count: number): string =>
  count === 0
    ? "Nothing waits, and nothing is lost."
    : `${counted(count, "delivery")} ${count === 1 ? "waits" : "wait"}, and ${count === 1 ? "goes" : "go"} out later. Nothing is lost.`;

/** One sentence about everything, by the worst that is true. It is good only if everything is known. */
export const verdictOf = ({ needs, silent, status, isComplete, now }: Known): Verdict => {
  const [worst, ...others] = needs;
  const waiting = status?.waiting.total ?? 0;
  switch (status?.dispatch) {
    case "outage":
      return { tone: "bad", title: "No mail leaves: the email service does not answer", text: waitText(waiting) };
    case "blocked":
      return { tone: "bad", title: "No mail leaves: the API key is refused", text: waitText(waiting) };
    case "paused":
      return { tone: "warn", title: "Delivery is paused", text: waitText(waiting) };
  }
  const [first] = silent;
  if (first !== undefined)
    return {
      tone: "bad",
      title: `${silent.length > 1 ? "Nothing" : first} ${silent.length > 1 ? "answers" : "does not answer"}`,
      text: "So this page does not know everything.",
    };
  if (worst)
    return {
      tone: worst.tone,
      title: worst.title,
      text:
        others.length === 0
          ? worst.text
          : `${counted(others.length, "other thing")} ${others.length === 1 ? "needs" : "need"} you too.`,
    };
  if (!isComplete) return { tone: "quiet", title: "Overview" };
  if ((status?.waiting.oldestMs ?? 0) > MINUTE)
    return {
      tone: "warn",
      title: `Catching up: ${counted(waiting, "delivery")} ${waiting === 1 ? "waits" : "wait"}${drainText(status?.backlog.doneAt ?? null, now)}`,
      text: "Nothing is lost.",
    };
  return { tone: "good", title: "Everything is flowing", text: "Nothing failed, and nothing needs you." };
};
