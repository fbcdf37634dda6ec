import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { admin, advance, createTeam, handedOver, isolated, type Team } from "../bench.ts";
import { accept, addMarketingMessage, pictureIn, sendTo, visit } from "../marketing.ts";

isolated();

type Seen = { query: string; cursor: { rowsRead: number } };

const QUIET_MS = 100;

/** Counts the rows that all objects read in `work` and in what follows from it, as Cloudflare counts them. */
const readIn = async (team: Team, work: () => Promise<unknown>): Promise<{ rows: number; most: string }> => {
  const seen: Seen[] = [];
  const spy = await team.inside((sql) => {
    const shared = Object.getPrototypeOf(sql) as SqlStorage;
    const { exec } = shared;
    return vi.spyOn(shared, "exec").mockImplementation(function (this: SqlStorage, query, ...values) {
      const cursor = exec.call(this, query, ...values);
      seen.push({ query, cursor });
      return cursor as never;
    });
  });
  await work();
  for (let before = 0; seen.length > before; ) {
    before = seen.length;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
  spy.mockRestore();
  const sorted = seen.toSorted((a, b) => b.cursor.rowsRead - a.cursor.rowsRead).slice(0, 5);
  return {
    rows: seen.reduce((sum, { cursor }) => sum + cursor.rowsRead, 0),
    most: sorted.map(({ query, cursor }) => `${cursor.rowsRead} ${query.slice(0, 80)}`).join("\n"),
  };
};

const expectRead = async (team: Team, most: number, work: () => Promise<unknown>): Promise<void> => {
  const read = await readIn(team, work);
  expect(read.rows, read.most).toBeGreaterThan(0);
  expect(read.rows, read.most).toBeLessThanOrEqual(most);
};

const signIn = async (team: Team): Promise<void> => {
  const input = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
  expect((await team.post("/transactional", input)).status).toBe(200);
};

it("a sign-in mail reads at most 80 rows, an alarm 160, and a pulse 80", async () => {
  const team = await createTeam({ samples: true });
  await signIn(team);
  await handedOver();
  advance(60_000);
  await expectRead(team, 80, () => signIn(team));
  advance(60_000);
  await expectRead(team, 160, () => runDurableObjectAlarm(team.stub));
  await expectRead(team, 80, () => team.stub.pulse({}));
});

it("an open reads at most 15 rows", async () => {
  const team = await createTeam();
  await team.post("/contacts/create", { email: "ada@example.com" });
  await accept(team, await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>"), "ada@example.com");
  const { html } = await sendTo(team, "ada@example.com");
  advance(60_000);
  await expectRead(team, 15, () => visit(pictureIn(html)));
  expect(await team.rows("SELECT 1 FROM engagement WHERE opened_at IS NOT NULL")).toHaveLength(1);
});

it("an object that is asked before it is a team becomes one", async () => {
  const read = () => admin("GET", "/admin/teams/later/usage");
  expect((await read()).status).toBe(404);
  expect((await admin("POST", "/admin/teams", { id: "later", name: "Later" })).status).toBe(201);
  expect((await read()).status).toBe(200);
  expect((await admin("POST", "/admin/teams", { id: "later", name: "Later" })).json.code).toBe("team_exists");
});
