import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { seedTeam } from "../../scripts/start/seed.ts";
import { secrets } from "../system/mailspan.ts";
import type { Rules } from "./inside/rules.ts";
import { startSimulated } from "./simulated.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Ms after which something that still waits is lost. */
const LOST_AFTER = 15_000;

/** An endpoint of outgoing webhooks, with the ids that it got. */
const startReceiver = async () => {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      ids.push(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ids,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The email service on the simulated platform, with a team, an endpoint of webhooks, and mail in the inbox. */
const startEmailObjects = async () => {
  const platform = await startSimulated({
    email: {
      ADMIN_TOKEN: secrets.ADMIN_TOKEN,
      API_KEY_SECRET: "platform-key-secret",
      INBOX: "1",
      PUBLIC_URL: "https://mail.acme.example",
      WEBHOOKS_ALLOW_PRIVATE: "1",
    },
  });
  const receiver = await startReceiver();
  const url = platform.url("email");
  const key = await seedTeam(url, secrets.ADMIN_TOKEN, "");
  const ask = async (method: string, path: string, token: string, body?: object, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const admin = (method: string, path: string, body?: object) => ask(method, path, secrets.ADMIN_TOKEN, body);
  const v1 = (method: string, path: string, body: object, headers = {}) =>
    ask(method, `/v1${path}`, key, body, headers);
  /** Asks until the answer is one of the service, as clients do. */
  const insist = async (request: () => ReturnType<typeof ask>) => {
    for (let tries = 0; tries < 40; tries++) {
      const answer = await request().catch(() => undefined);
      if (answer && answer.status < 400) return answer;
      if (answer && answer.status < 500 && answer.status !== 429) throw new Error(JSON.stringify(answer));
      await sleep(120);
    }
    throw new Error("The email service gives no answer.");
  };
  return {
    platform,
    receiver,
    admin,
    v1,
    insist,
    inbox: async () => (await (await fetch(`${url}/inbox.json?limit=100`)).json()) as { mails?: { to: string }[] },
    stop: async () => {
      await platform.stop();
      receiver.stop();
    },
  };
};
type EmailObjects = Awaited<ReturnType<typeof startEmailObjects>>;

export type Outcome = { lost: number; twice: number; silence: number; ms: number; aborted: string[]; most: string };

/** Waits for `expected` arrivals without an event for the objects, and measures the longest pause. */
const watch = async (arrived: () => number, expected: number) => {
  const started = performance.now();
  let [silence, last, seen] = [0, started, 0];
  while (arrived() < expected && performance.now() - started < LOST_AFTER) {
    await sleep(30);
    const now = performance.now();
    silence = Math.max(silence, now - last);
    if (arrived() > seen) [last, seen] = [now, arrived()];
  }
  return { silence, ms: performance.now() - started };
};

const fresh = async (
  rules: Rules,
  play: (service: EmailObjects) => Promise<Pick<Outcome, "lost" | "twice" | "silence" | "ms">>,
): Promise<Outcome> => {
  const service = await startEmailObjects();
  try {
    const begin = () => service.platform.rules("email", rules);
    await service.admin("POST", "/admin/teams/demo/webhooks", { url: service.receiver.url });
    await begin();
    const outcome = await play(service);
    const { aborted, most, refused } = await service.platform.counts("email");
    const spent = Object.entries(most).map(([name, count]) => `${name} ${count}`);
    if (Object.keys(refused).length > 0) spent.push(`refused ${JSON.stringify(refused)}`);
    return { ...outcome, aborted, most: spent.join(", ") };
  } finally {
    await service.stop();
  }
};

/** Contacts are created, and each makes an outgoing webhook. The ids of events are the same for each attempt. */
export const playWebhooks = (contacts: number, rules: Rules): Promise<Outcome> =>
  fresh(rules, async ({ receiver, v1, insist }) => {
    for (let n = 0; n < contacts; n++) {
      await insist(() => v1("PUT", "/contacts/update", { email: `p${n}@example.com`, firstName: "P" }));
      await sleep(60);
    }
    const arrived = () => new Set(receiver.ids).size;
    const watched = await watch(arrived, contacts);
    return {
      ...watched,
      lost: contacts - arrived(),
      // The same event may come twice, with the same id. A contact must not make two events.
      twice: Math.max(0, arrived() - contacts),
    };
  });

/** Mails into the inbox, each with a key of its own. */
export const playMails = (mails: number, rules: Rules): Promise<Outcome> =>
  fresh(rules, async ({ v1, insist, inbox }) => {
    for (let n = 0; n < mails; n++) {
      const mail = { transactionalId: "tpl_welcome", email: `m${n}@example.com`, dataVariables: {} };
      await insist(() => v1("POST", "/transactional", mail, { "Idempotency-Key": `mail-${n}` }));
      await sleep(60);
    }
    let to: string[] = [];
    const look = setInterval(() => {
      void inbox().then(
        (page) => {
          // The object may be reset while it is asked.
          to = page.mails?.map((mail) => mail.to) ?? to;
        },
        () => {},
      );
    }, 200);
    const watched = await watch(() => new Set(to).size, mails);
    clearInterval(look);
    return { ...watched, lost: mails - new Set(to).size, twice: to.length - new Set(to).size };
  });

/** Teams are made. An operator asks again after an error. */
export const playTeams = (teams: number, rules: Rules): Promise<Outcome> =>
  fresh(rules, async ({ admin, insist }) => {
    const started = performance.now();
    for (let n = 0; n < teams; n++)
      await insist(() => admin("POST", "/admin/teams", { id: `team-${n}`, name: `Team ${n}` }));
    // Each request to a team lists it again.
    for (let n = 0; n < teams; n++) await insist(() => admin("GET", `/admin/teams/team-${n}/keys`));
    const { body } = await insist(() => admin("GET", "/admin/teams?perPage=50"));
    const listed = (body.data as { id: string }[]).map(({ id }) => id).filter((id) => id.startsWith("team-"));
    const ms = performance.now() - started;
    return { ms, silence: 0, lost: teams - new Set(listed).size, twice: listed.length - new Set(listed).size };
  });

export const rowOf = (what: string, { lost, twice, silence, ms, aborted, most }: Outcome): string =>
  [
    what,
    `${lost} lost, ${twice} twice`,
    `silence ${(silence / 1_000).toFixed(1)} s of ${(ms / 1_000).toFixed(1)} s`,
    `subrequests at most ${most}`,
    aborted.join(", ") || "no reset",
  ].join(" | ");
