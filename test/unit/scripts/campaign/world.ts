import type { Listed, Progress, Status } from "../../../../scripts/campaign/answers.ts";
import type { Api } from "../../../../scripts/campaign/describe.ts";
import { run } from "../../../../scripts/campaign/run.ts";
import { CAMPAIGNS } from "../../../../scripts/campaign/usage.ts";
import { parse } from "../../../../scripts/lib/command.ts";
import { Refused } from "../../../../scripts/lib/team-service.ts";

const AT = "2026-11-22T12:00:00.000Z";

export const progress = (changes: Partial<Progress> = {}): Progress => ({
  state: "sending",
  recipients: 1000,
  queued: 400,
  sent: 580,
  skipped: 15,
  failed: 4,
  unknown: 1,
  cancelled: 0,
  startedAt: AT,
  finishedAt: null,
  perSecond: 12.34,
  eta: "2026-11-22T12:01:20.000Z",
  ...changes,
});

export const listed = (changes: Partial<Listed> = {}): Listed => ({
  id: "cmp_1",
  name: "Spring sale",
  status: "Draft",
  scheduledFor: null,
  progress: null,
  results: null,
  createdAt: AT,
  updatedAt: AT,
  ...changes,
});

export const statusOf = (changes: Partial<Status> = {}): Status => ({
  id: "cmp_1",
  name: "Spring sale",
  status: "Sending",
  scheduledFor: null,
  progress: progress(),
  inLedger: 100,
  waiting: [],
  confirmed: null,
  maxRecipients: null,
  unconfirmed: null,
  wave: null,
  retry: null,
  ...changes,
});

const api = {
  campaigns: {
    get: async () => ({
      emailMessageId: "eml_1",
      mailingListId: "lst_1",
      audienceSegmentId: "seg_1",
      audienceFilter: {
        match: "all",
        conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }],
      },
    }),
  },
  emailMessages: { get: async () => ({ subject: "Spring is here", fromName: "Acme", fromEmail: "news" }) },
  lists: { list: async () => [{ id: "lst_1", name: "Newsletter" }] },
  audienceSegments: { get: async () => ({ id: "seg_1", name: "Active" }) },
} as unknown as Api;

type Answers = Record<string, unknown>;
type Given = {
  campaigns?: Listed[];
  typed?: string[];
  isTerminal?: boolean;
  hasKey?: boolean;
  interruptAfter?: number;
};
type Ran = {
  ok: boolean;
  printed: string[];
  progress: string[];
  questions: string[];
  asked: { path: string; body?: unknown }[];
  saved: Record<string, string>;
  lists: number;
};

/**
 * Runs a command line against an operator's API with these answers. The request that finds the campaign uses
 * `campaigns`.
 *
 * @param given `typed`: input at the terminal; `interruptAfter`: looks before Ctrl-C
 */
export const command = async (line: string, answers: Answers = {}, given: Given = {}): Promise<Ran> => {
  const { campaigns = [listed()], typed = [], hasKey = true, interruptAfter = 100 } = given;
  const ran: Ran = { ok: false, printed: [], progress: [], questions: [], asked: [], saved: {}, lists: 0 };
  const all = new Map(Object.entries(answers).map(([path, answer]) => [path, [answer].flat()]));
  const ctrlC = new AbortController();
  let looks = 0;
  let isFound = false;
  ran.ok = await run(parse(CAMPAIGNS, line.split(" ")), {
    service: {
      hasKey,
      api: () => api,
      open: async (path) => {
        ran.asked.push({ path: `GET ${path}` });
        return new Response("email,state\n");
      },
      async admin<T>(method: string, path: string, body?: object): Promise<T> {
        const key = `${method} ${path}`;
        if (key === "GET ?perPage=50") {
          ran.lists += 1;
          return { pagination: { nextCursor: null }, data: campaigns } as T;
        }
        const named = campaigns.find(({ id }) => key === `GET /${id}/status`);
        if (!isFound && named) {
          isFound = true;
          return named as T;
        }
        ran.asked.push({ path: key, ...(body === undefined ? {} : { body }) });
        const left = all.get(key);
        if (!left && key.endsWith("/status")) throw new Refused("No such campaign.", { code: "campaign_not_found" });
        if (!left) throw new Error(`nothing at ${key}`);
        const answer = left.length > 1 ? left.shift() : left[0];
        if (answer instanceof Error) throw answer;
        return answer as T;
      },
    },
    print: (text) => ran.printed.push(text),
    progress: (text) => ran.progress.push(text),
    isTerminal: given.isTerminal ?? typed.length > 0,
    ask: async (question) => {
      ran.questions.push(question);
      return typed.shift();
    },
    save: async (path, body) => {
      ran.saved[path] = await new Response(body).text();
    },
    interrupted: () => ctrlC.signal,
    sleep: async () => {
      looks += 1;
      if (looks === interruptAfter) ctrlC.abort();
      if (looks > 200) throw new Error("it never ends");
    },
    now: () => Date.parse(AT),
  });
  return ran;
};
