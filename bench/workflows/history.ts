import { median } from "../median.ts";
import { atMost, type Figure, withoutBound } from "../outbox/report.ts";
import { startWorkflows } from "./start.ts";
import { newTeam, type Team } from "./team.ts";
import { DUE, makeDue } from "./wake.ts";

const DAY = 86_400_000;
const LIMIT = 1.5;
const SMALL = 1_000;
const CHUNK = 20_000;
const PURGE = 500;

/** `?1`: workflow `n`. `?2`, `?3`: contact rows. `?4`: Unix ms. */
const RUNS = `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event, ended)
  SELECT n, ?1, 1, 1, CAST(?4 AS INTEGER), NULL, CAST(?4 AS INTEGER), '[[4,1],[3,1],[1,2]]', NULL, 'completed'
  FROM contacts WHERE n >= ?2 AND n < ?3`;
const SENDS = `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, settled_at, preview,
    contact, origin, run)
  SELECT n, 'snd_' || n, 'marketing', (SELECT revision FROM email_messages WHERE workflow = ?1), email, email_key, '<snd_' || n || '@history.example>',
    'sent', 1, CAST(?4 AS INTEGER), CAST(?4 AS INTEGER), 0, n, (SELECT id FROM workflows WHERE n = ?1), 1
  FROM contacts WHERE n >= ?2 AND n < ?3`;
const ENGAGEMENT = `INSERT INTO engagement (contact, message, run, send, sent_at)
  SELECT n, (SELECT n FROM email_messages WHERE workflow = ?1), 1, n, CAST(?4 AS INTEGER) FROM contacts WHERE n >= ?2 AND n < ?3`;
const VERSIONS = `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?2)
  INSERT INTO workflow_versions (workflow, number, revision, at, list, graph, ran)
  SELECT n, 1000 + i, 'rev_' || i, i, NULL, graph, 1 FROM workflows, s WHERE n = ?1`;
const arrange = async (team: Team, contacts: number, runs: number, versions: number) => {
  const workflow = await team.newWelcome("Welcome", {
    typeName: "EventTrigger",
    eventName: "joined",
    reEligible: true,
  });
  const [{ n = 0 } = {}] = await team.sql("SELECT n FROM workflows WHERE id = ?", workflow);
  await team.addContacts(contacts);
  const now = Date.now();
  for (let from = 2; from < runs + 2; from += CHUNK) {
    const to = Math.min(from + CHUNK, runs + 2);
    await team.sql(RUNS, n, from, to, now - 40 * DAY);
    // Older mails have no rows.
    for (const fill of [SENDS, ENGAGEMENT]) await team.sql(fill, n, from, to, now - 5 * DAY);
  }
  await team.sql(VERSIONS, n, versions);
  const shown = await team.get(`/workflows/${workflow}`);
  const nodes = Object.entries(shown.nodes as Record<string, { typeName: string }>);
  const mail = nodes.find(([, { typeName }]) => typeName === "SendEmailAction")?.[0];
  return { team, contacts, runs, workflow, n, mail };
};
type Arranged = Awaited<ReturnType<typeof arrange>>;

let count = 0;
const row = ({ contacts }: Arranged): number => 2 + ((count++ * 7_919) % contacts);
const userIn = async (arranged: Arranged): Promise<string> => {
  const [found] = await arranged.team.sql("SELECT user_id AS user FROM contacts WHERE n = ?", row(arranged));
  return String(found?.user);
};

type Work = (arranged: Arranged) => Promise<() => Promise<unknown>>;

/** `isUnbounded`: docs/performance.md promises no bound. */
type Works = Readonly<Record<string, { rounds: number; prepare: Work; isUnbounded?: true }>>;

const due =
  (where: "neighboring" | "scattered", at: string): Work =>
  async ({ team, n, contacts }) => {
    const step = where === "scattered" ? Math.floor(contacts / DUE) : 1;
    const first = 2 + ((count++ * 7_919) % (contacts - (DUE - 1) * step));
    await makeDue(team, { n, at, first, step, last: contacts + 1 });
    return () => team.bench("work", n);
  };

const works: Works = {
  "an event that starts a run": {
    rounds: 200,
    prepare: async (arranged) => {
      const body = { userId: await userIn(arranged), eventName: "joined", eventProperties: { plan: "pro" } };
      return () => arranged.team.post("/events/send", body);
    },
  },
  "GET /workflows/{id}": {
    rounds: 200,
    prepare:
      async ({ team, workflow }) =>
      () =>
        team.get(`/workflows/${workflow}`),
  },
  "metrics of a mail": {
    rounds: 200,
    prepare:
      async ({ team, workflow, mail }) =>
      () =>
        team.get(`/workflows/${workflow}/nodes/${mail}/metrics`),
  },
  [`${DUE} runs of neighboring contacts reach a mail`]: {
    rounds: 20,
    prepare: due("neighboring", "EventTrigger"),
  },
  [`${DUE} runs of neighboring contacts end`]: {
    rounds: 20,
    prepare: due("neighboring", "TimerAction"),
  },
  [`${DUE} runs of scattered contacts reach a mail`]: {
    rounds: 20,
    prepare: due("scattered", "EventTrigger"),
  },
  [`${DUE} runs of scattered contacts end`]: {
    rounds: 20,
    prepare: due("scattered", "TimerAction"),
    isUnbounded: true,
  },
  [`the purge reads ${PURGE} runs`]: {
    rounds: 30,
    prepare: async (arranged) => {
      const first = row(arranged) % (arranged.runs - PURGE);
      await arranged.team.sql("DELETE FROM run_purge");
      await arranged.team.sql("INSERT INTO run_purge VALUES (?, 0, 0, 0)", first);
      await arranged.team.sql(
        "UPDATE runs SET path = '[[4,1],[3,1],[1,2]]' WHERE contact >= ? AND contact <= ? AND ended IS NOT NULL",
        first,
        first + PURGE,
      );
      return () => arranged.team.bench("purge", 1);
    },
  },
  "a contact is deleted": {
    rounds: 50,
    prepare: async (arranged) => {
      const body = { userId: await userIn(arranged) };
      return () => arranged.team.post("/contacts/delete", body);
    },
  },
};

/** Turns equalize other load on the machine. */
const measure = async (teams: readonly Arranged[], prepare: Work, rounds: number): Promise<number[]> => {
  const times = teams.map((): number[] => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
    for (const [at, team] of teams.entries()) {
      const work = await prepare(team);
      const began = performance.now();
      await work();
      if (round >= 0) times[at]?.push(performance.now() - began);
    }
  }
  return times.map(median);
};

/** Compares the cost of a long and a short history. */
export const history = async (contacts: number): Promise<Figure[]> => {
  const worker = await startWorkflows(undefined);
  try {
    const small = await arrange(await newTeam(worker, "small"), contacts, SMALL, 10);
    const large = await arrange(await newTeam(worker, "large"), contacts, contacts, 1_000);
    const figures: Figure[] = [];
    for (const [what, { rounds, prepare, isUnbounded }] of Object.entries(works)) {
      const [before = 0, after = 0] = await measure([small, large], prepare, rounds);
      figures.push({ what: `${what}: with ${SMALL} runs of history`, value: `${before.toFixed(1)} ms` });
      const figure = atMost(`  with ${contacts}: ${after.toFixed(1)} ms, as a multiple`, after / before, LIMIT, 2, "×");
      figures.push(isUnbounded ? withoutBound(figure) : figure);
    }
    return figures;
  } finally {
    await worker.stop();
  }
};
