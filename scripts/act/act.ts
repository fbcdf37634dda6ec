import { ApiError, createClient } from "../../src/lib/client.ts";
import { type Bridge, bridgeOf, NoAnswer, post } from "../lib/bridge.ts";
import { count } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import { askEmailService, emailServiceOf } from "../lib/email-service.ts";
import type { ACT } from "./usage.ts";

type Values = Line<typeof ACT>["values"];
type Vars = Readonly<Record<string, string | undefined>>;
type Asked = { bridge: Bridge; subject: string; source: string | undefined; values: Values; vars: Vars };

type Replay = { deliveries: number; byAction: Counts; notMade: Counts; notReplayable: Counts; failed: Failed[] };
type Counts = Record<string, number>;
type Failed = { rule: string; message: string };
type Status = { dispatch: string };

type Erased = {
  finished: boolean;
  erased: Counts;
  service?: Counts;
  reached?: Record<string, string | true>[];
  notReached?: string[];
  next: string | null;
  message: string;
};

const namedAs = (source: string | undefined): string =>
  source === undefined ? "All deliveries" : `The deliveries of ${source}`;

const ACTIONS: Readonly<Record<Line<typeof ACT>["command"], (asked: Asked) => Promise<string>>> = {
  async retry(asked) {
    if (asked.subject.startsWith("snd_")) return retryMail(asked, asked.subject);
    const { id } = await postDelivery(asked, "retry");
    return `${id} is sent once more. To see the outcome: npm run why -- ${id}`;
  },
  async discard(asked) {
    const { id } = await postDelivery(asked, "discard");
    return `${id} is discarded: it is not sent any more.`;
  },
  async "send-again"(asked) {
    try {
      const { id } = await postDelivery(asked, "send-again", asked.values.yes ? { confirm: true } : {});
      return `${id} is sent again with a new key. To see the outcome: npm run why -- ${id}`;
    } catch (error) {
      if (!(error instanceof NoAnswer) || error.code !== "confirmation_needed") throw error;
      return `Not sent yet. ${error.message.replace('add {"confirm": true}', "add --yes")}`;
    }
  },
  async replay(asked) {
    const id = encodeURIComponent(asked.subject);
    const { yes, actions } = asked.values;
    return replayed(await post<Replay>(asked.bridge, `/webhooks/${id}/replay`, { dryRun: !yes, actions }), yes);
  },
  async pause({ bridge, source }) {
    const { dispatch } = await post<Status>(bridge, "/pause", { source });
    return `${namedAs(source)} are paused. Dispatch: ${dispatch}.`;
  },
  async resume({ bridge, source }) {
    const { dispatch } = await post<Status>(bridge, "/resume", { source });
    return `${namedAs(source)} are resumed. Dispatch: ${dispatch}.`;
  },
  async erase(asked) {
    const name = asked.subject;
    return erased(asked, name.includes("@") ? { email: name } : { userId: name });
  },
  async unsuppress(asked) {
    const email = asked.subject;
    const apiKey = asked.vars.EMAIL_API_KEY;
    if (!apiKey) throw new Error("No API key: set EMAIL_API_KEY in .dev.vars or the environment.");
    // The gateway keeps the rate limit of the email service.
    const { suppression } = createClient({ baseUrl: asked.bridge.url, apiKey });
    try {
      const { removalQuota } = await suppression.remove({ email });
      return `${email} is not suppressed any more. Removals left in these 30 days: ${removalQuota.remaining}.`;
    } catch (error) {
      if (error instanceof ApiError) throw new Error(`The email service answered ${error.status}: ${error.message}`);
      throw error;
    }
  },
};

const retryMail = async ({ values, vars }: Asked, id: string): Promise<string> => {
  const service = emailServiceOf(values, vars);
  if (!service)
    throw new Error("Where is the email service? Name it with --email-url, or set EMAIL_URL, with EMAIL_ADMIN_TOKEN.");
  await askEmailService(service, "POST", `/sends/${id}/retry`);
  return `${id} is sent once more, with the same Message-ID. To see the outcome: npm run why -- ${id}`;
};

const postDelivery = (asked: Asked, action: string, body: object = {}): Promise<{ id: string }> =>
  post(asked.bridge, `/deliveries/${encodeURIComponent(asked.subject)}/${action}`, body);

const replayed = ({ deliveries, byAction, notMade, notReplayable, failed }: Replay, yes: boolean): string => {
  const list = (counts: Counts) => Object.entries(counts).map(([what, many]) => `${what} ${many}`);
  const lines = [
    `${yes ? "Made" : "Dry run: a replay would make"} ${count(deliveries, "delivery")}${deliveries > 0 ? ` (${list(byAction).join(", ")})` : ""}.`,
    ...list(notMade).map((line) => `Not made, ${line}.`),
    ...list(notReplayable).map((line) => `Not replayable, the body is ${line}.`),
    ...failed.map(({ rule, message }) => `Rule "${rule}" failed: ${message}`),
  ];
  if (!yes && deliveries > 0) lines.push("To make them, add --yes.");
  return lines.join("\n");
};

/** Repeats while a mail or delivery of the person is in flight. */
const REPEATS = 3;

/** Works slice by slice. A dry run unless `--yes` is given. */
const erased = async ({ bridge, values }: Asked, who: object): Promise<string> => {
  const dryRun = !values.yes;
  const erased: Counts = {};
  const kept = new Set<string>();
  let cursor: string | null = null;
  for (let same = 0; ; ) {
    const given: object = { ...who, dryRun, service: values.service, ...(cursor === null ? {} : { cursor }) };
    const told: Erased = await post<Erased>(bridge, "/erase", given);
    for (const [what, many] of Object.entries(told.erased)) erased[what] = (erased[what] ?? 0) + many;
    for (const line of told.notReached ?? []) kept.add(line);
    same = told.next === cursor ? same + 1 : 0;
    if (!told.finished && same < REPEATS) {
      cursor = told.next;
      continue;
    }
    const list = (counts: Counts) => Object.entries(counts).map(([what, many]) => `${what} ${many}`);
    const person = (told.reached ?? []).map(
      ({ earlier, ...one }) => `${Object.values(one)}${earlier ? " (earlier)" : ""}`,
    );
    return [
      told.message,
      ...(person.length > 0 ? [`The person: ${person.join(", ")}.`] : []),
      `In the ledger: ${list(erased).join(", ")}.`,
      ...(told.service ? [`At the email service: ${list(told.service).join(", ")}.`] : []),
      ...[...kept].map((line) => `Not reached: ${line}`),
      ...(dryRun ? ["To do it, add --yes."] : []),
    ].join("\n");
  }
};

/**
 * Returns the text to print.
 * @throws with a remedy
 */
export const act = async ({ command, args: [source], values }: Line<typeof ACT>, vars: Vars): Promise<string> =>
  ACTIONS[command]({ bridge: bridgeOf(values, vars), subject: source ?? "", source, values, vars });
