import { until } from "../../system/mailspan.ts";
import type { Order, Version } from "./orders.ts";
import type { Act, History, Parts, Phase } from "./plan.ts";
import type { Both } from "./service.ts";
import { createTeam, type Send, type Team } from "./team.ts";

/** Accepted acts of a history. Numbers are those of contacts; `campaigns` and `imports`: paths and ids. */
type Done = {
  contacts: Set<number>;
  entered: Set<number>;
  mailed: Set<number>;
  imported: Set<number>;
  campaigns: string[];
  imports: string[];
};
/** `claims`: without a row in `sends`, when the older version took over. */
export type Outcome = { mails: number; unknown: number; resets: number; claims: number; problems: string[] };

/** Ms until the last mail is settled, on a busy machine. */
const SETTLED = 240_000;
const REPORTED = 240_000;
/**
 * Mails that may be with a mail provider when a Mailer is reset: a noted block and its lanes. The numbers are `BLOCK` and
 * `LANES` of src/email/delivery/mailer/mailer-queue.ts.
 */
const NOTED = 12 + 6;

const PARTS: Record<Exclude<Parts, "in turn">, (object: Order["objects"][number]) => boolean> = {
  "at once": () => true,
  Workspace: ([binding]) => binding === "WORKSPACE",
  Mailers: ([binding]) => binding === "MAILER",
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const objectsOf = (team: string): Order["objects"] => [
  ["WORKSPACE", team],
  ...[0, 1].map((n) => ["MAILER", `${team}:transactional:${n}`] as const),
  ...[0, 1, 2, 3].map((n) => ["MAILER", `${team}:marketing:${n}`] as const),
  ["NOTIFIER", team],
];

/** Plays one history with a team of its own, and checks what became of each mail, contact and campaign. */
export const playHistory = async (service: Both, history: History): Promise<Outcome> => {
  const id = `r${history.seed}`;
  const objects = objectsOf(id);
  await service.deploy("newer", objects);
  const team = await createTeam(service, id);
  const addressOf = (kind: string, n: number): string => `${kind}${n}.${id}@example.com`;
  const done: Done = {
    contacts: new Set(),
    entered: new Set(),
    mailed: new Set(),
    imported: new Set(),
    campaigns: [],
    imports: [],
  };
  const people = Array.from({ length: history.recipients }, (_, n) => addressOf("p", n));
  const lines = people.map((email) => `${email},Ada,pro`).join("\n");
  await importedAll(team, [await team.startImport(`email,firstName,plan\n${lines}\n`)]);
  let [resets, mailerResets, claims] = [0, 0, 0];
  const reset = async (version: Version, some: Order["objects"]): Promise<void> => {
    resets += some.length;
    mailerResets += some.filter(([binding]) => binding === "MAILER").length;
    await service.deploy(version, some);
  };
  const deploy = async (version: Version, parts: Parts): Promise<void> => {
    if (version === "older" && parts !== "Mailers") claims += await service.claimsWithoutRow(id);
    team.use(parts === "at once" ? version : "any");
    if (parts !== "in turn") await reset(version, objects.filter(PARTS[parts]));
    else
      for (const object of objects) {
        await reset(version, [object]);
        await sleep(30);
      }
  };
  const act = async (one: Act, { version }: Phase): Promise<void> => {
    if (one.act === "wait") await sleep(one.ms);
    else if (one.act === "reset") await reset(version, objects.slice(one.at, one.at + 1));
    else await actOf(team, addressOf, history, done)[one.act](one as never);
  };
  for (const [at, phase] of history.phases.entries()) {
    if (at > 0) await deploy(phase.version, phase.parts);
    for (const one of phase.acts) await act(one, phase);
  }
  await deploy(history.last, "at once");
  for (const path of done.campaigns) await resume(team, path);
  const sends = await settled(team, done);
  const report = () => unreported(service, done, sends, addressOf);
  await until("all events are reported", async () => report().length === 0 || undefined, REPORTED).catch(() => {});
  const other = history.last === "older" ? "newer" : "older";
  const problems = [
    ...report(),
    ...(await check(service, team, history, done, sends, addressOf)),
    // The other version reads the same.
    ...(await deploy(other, "at once").then(() => check(service, team, history, done, sends, addressOf))),
  ].map((problem) => `history ${history.seed}: ${problem}`);
  const unknown = sends.filter(({ state }) => state === "unknown").length;
  if (unknown > mailerResets * NOTED) problems.push(`history ${history.seed}: ${unknown} mails are unknown`);
  return { mails: sends.length, unknown, resets, claims, problems };
};

const resume = async (team: Team, path: string): Promise<void> => {
  const { status, text } = await team.operate("POST", `${path}/resume`);
  if (status !== 200 && status !== 409) throw new Error(text);
};

/** Each act by its name. */
const actOf = (team: Team, addressOf: (kind: string, n: number) => string, { recipients }: History, done: Done) => ({
  campaign: async () => {
    done.campaigns.push(await team.sendCampaign(recipients));
  },
  pause: async () => {
    for (const path of done.campaigns) {
      const { status, text } = await team.operate("POST", `${path}/pause`);
      if (status !== 200 && status !== 409) throw new Error(text);
    }
  },
  resume: async () => {
    for (const path of done.campaigns) await resume(team, path);
  },
  contact: async ({ n }: { n: number }) => {
    await accepted(team.ask("PUT", "/v1/contacts/update", { email: addressOf("c", n), firstName: `Name ${n}` }));
    done.contacts.add(n);
  },
  event: async ({ n }: { n: number }) => {
    await accepted(team.ask("POST", "/v1/events/send", { email: addressOf("e", n), eventName: "joined" }));
    done.entered.add(n);
  },
  mail: async ({ n }: { n: number }) => {
    await accepted(team.mail(addressOf("t", n), `key-${n}`));
    done.mailed.add(n);
  },
  repeat: async ({ n }: { n: number }) => {
    const { status, text } = await team.mail(addressOf("t", n), `key-${n}`);
    if (status !== 409) throw new Error(`A repeated mail was answered ${status} ${text}`);
  },
  import: async ({ n, count }: { n: number; count: number }) => {
    const numbers = Array.from({ length: count }, (_, at) => n + at);
    const lines = numbers.map((one) => `${addressOf("i", one)},Name ${one},free`).join("\n");
    done.imports.push(await team.startImport(`email,firstName,plan\n${lines}\n`));
    for (const one of numbers) done.imported.add(one);
  },
});

const accepted = async (answer: ReturnType<Team["ask"]>): Promise<void> => {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
};

const importedAll = (team: Team, imports: readonly string[]) =>
  until(
    "the contacts are imported",
    async () => {
      const states = await Promise.all(imports.map(team.importState));
      return states.every((state) => state === "done") || undefined;
    },
    SETTLED,
  );

/** All mails, when none is open and the campaigns have ended. */
const settled = async (team: Team, done: Done): Promise<Send[]> => {
  await importedAll(team, done.imports);
  let shown = "";
  const ended = async (): Promise<Send[] | undefined> => {
    await sleep(100);
    const states = await Promise.all(done.campaigns.map((path) => team.operated("GET", `${path}/status`)));
    shown = JSON.stringify(states);
    if (!states.every(({ progress, inLedger }) => progress?.finishedAt && inLedger === 0)) return undefined;
    const sends = await team.sends();
    const open = sends.filter(({ state }) => state === "queued" || state === "sending");
    const entered = new Set(sends.map(({ to }) => to));
    shown = JSON.stringify({ open, entered: entered.size });
    const expected = done.campaigns.length + done.entered.size;
    return open.length === 0 && entered.size >= expected ? sends : undefined;
  };
  return until(`history ${team.id} ends`, ended, SETTLED).catch((error: Error) => {
    throw new Error(`${error.message}: ${shown}`);
  });
};

type Row = { email: string; state: string };

/** Events that have to be reported once, and are not. A mail with an unknown outcome has none. */
const unreported = (
  { receiver }: Both,
  done: Done,
  sends: readonly Send[],
  addressOf: (kind: string, n: number) => string,
): string[] => {
  const types: Record<string, string> = { t: "transactional", e: "loop", p: "campaign" };
  const expected = [
    ...[...done.contacts].map((n) => ["contact.created", addressOf("c", n)] as const),
    ...sends.filter(({ state }) => state === "sent").map(({ to }) => [`${types[to[0] ?? ""]}.email.sent`, to] as const),
  ];
  return expected
    .filter(([type, email]) => receiver.events(type, email) !== 1)
    .map(([type, email]) => `${type} of ${email} was reported ${receiver.events(type, email)} times`);
};

const check = async (
  service: Both,
  team: Team,
  { recipients }: History,
  done: Done,
  sends: readonly Send[],
  addressOf: (kind: string, n: number) => string,
): Promise<string[]> => {
  const copies = service.copies();
  const problems: string[] = [];
  const bySend = Map.groupBy(sends, ({ to }) => to);
  const expectOne = (email: string): void => {
    const [send, ...more] = bySend.get(email) ?? [];
    const arrived = copies.get(email) ?? 0;
    if (!send || more.length > 0) problems.push(`${email} has ${more.length + (send ? 1 : 0)} mails`);
    else if (send.state === "unknown" ? arrived > 1 : send.state !== "sent" || arrived !== 1)
      problems.push(`${email} is ${send.state}, ${arrived} arrived`);
  };
  for (const n of done.mailed) expectOne(addressOf("t", n));
  for (const n of done.entered) expectOne(addressOf("e", n));
  for (let n = 0; n < recipients; n++) expectOne(addressOf("p", n));
  const expected = done.mailed.size + done.entered.size + recipients;
  if (bySend.size !== expected) problems.push(`${bySend.size} people have mails, not ${expected}`);
  for (const path of done.campaigns) problems.push(...(await checkCampaign(team, path, sends, recipients)));
  const found = async (email: string, firstName?: string): Promise<void> => {
    const [contact] = (await team.ask("GET", `/v1/contacts/find?email=${encodeURIComponent(email)}`)).body;
    if (!contact || (firstName !== undefined && contact.firstName !== firstName)) {
      problems.push(`the contact ${email} is ${JSON.stringify(contact)}`);
    }
  };
  for (const n of done.contacts) await found(addressOf("c", n), `Name ${n}`);
  for (const n of done.imported) await found(addressOf("i", n), `Name ${n}`);
  for (const n of done.entered) await found(addressOf("e", n));
  return problems;
};

const checkCampaign = async (
  team: Team,
  path: string,
  sends: readonly Send[],
  recipients: number,
): Promise<string[]> => {
  const { progress } = await team.operated("GET", `${path}/status`);
  const csv = (await team.operate("GET", `${path}/recipients.csv`)).text.trimEnd().split("\r\n").slice(1);
  const rows: Row[] = csv.map((line) => {
    const [email = "", , state = ""] = line.split(",");
    return { email, state };
  });
  const inLedger = new Map(sends.map(({ to, state }) => [to, state]));
  const wrong = rows.filter(({ email, state }) => inLedger.get(email) !== state);
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  const counts = { recipients, sent: count("sent"), unknown: count("unknown") };
  const shown = { recipients: progress.recipients, sent: progress.sent, unknown: progress.unknown };
  const sum = progress.sent + progress.unknown;
  return [
    ...wrong.map(({ email, state }) => `${email} is ${state} in the file and ${inLedger.get(email)} in the ledger`),
    ...(rows.length === recipients ? [] : [`the file has ${rows.length} of ${recipients} recipients`]),
    ...(sum === recipients && JSON.stringify(counts) === JSON.stringify(shown)
      ? []
      : [`the counts are ${JSON.stringify(progress)}, the file has ${JSON.stringify(counts)}`]),
  ];
};
