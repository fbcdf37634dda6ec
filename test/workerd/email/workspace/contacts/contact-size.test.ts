import { beforeEach, describe, expect, it } from "vitest";
import { MAX_CONTACT } from "../../../../../src/email/workspace/contacts/contact-size.ts";
import { MAX_EVENT } from "../../../../../src/lib/contract/fields.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { importFile } from "../imports/bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
});

const values = (count: number, text: string, prefix = "p") =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, text]));
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("a contact has at most 64 KB", () => {
  const large = values(131, "x".repeat(490));
  const field = expect.stringMatching(/^p\d+$/);
  const refusal = (path: unknown = field) => ({
    success: false,
    code: "contact_too_large",
    path,
    message: expect.stringMatching(/^\w+: the contact would have 6\d{4} bytes, and may have 65536\. .* shorten it/),
  });

  it("a creation above it is refused, names the largest field, and writes nothing", async () => {
    const { status, json } = await team.post("/contacts/create", {
      email: "a@example.com",
      ...large,
      userGroup: "y".repeat(499),
    });
    expect([status, json]).toEqual([400, refusal("userGroup")]);
    expect(await team.rows("SELECT name FROM properties")).toEqual([]);
    expect((await team.put("/contacts/update", { email: "a@example.com", properties: large })).json).toEqual(refusal());
    expect((await team.post("/events/send", { email: "a@example.com", eventName: "seen", ...large })).json).toEqual(
      refusal(),
    );
    expect(await team.find({ email: "a@example.com" })).toBeUndefined();
  });

  it("updates add up: the last one is refused, and the contact stays as it was", async () => {
    const half = values(65, "x".repeat(490));
    const more = values(65, "x".repeat(490), "q");
    const add = (properties: object) => team.put("/contacts/update", { email: "a@example.com", properties });
    expect((await add(half)).status).toBe(200);
    expect((await add(more)).status).toBe(200);
    expect((await add({ r: "x".repeat(500), s: "x".repeat(500), t: "x".repeat(500) })).json).toEqual(refusal("r"));
    const { sum } = await team.inside((sql) =>
      sql.exec<{ sum: number }>("SELECT length(json(data)) AS sum FROM contacts").one(),
    );
    expect(sum).toBeGreaterThan(MAX_CONTACT - 2_000);
    expect((await add({ p0: null, r: "x".repeat(400) })).status).toBe(200);
  });

  it("one that is larger by an earlier rule may shrink, but not grow", async () => {
    await team.post("/contacts/create", { email: "a@example.com", ...values(2, "x") });
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.properties.p0', ?)", "x".repeat(70_000));
    expect((await team.put("/contacts/update", { email: "a@example.com", p1: "xxx" })).json).toMatchObject({
      code: "contact_too_large",
    });
    expect((await team.put("/contacts/update", { email: "a@example.com", p1: null })).status).toBe(200);
    expect((await team.put("/contacts/update", { email: "a@example.com", p0: "short" })).status).toBe(200);
  });

  it("an import refuses the row with the reason, and takes the others", async () => {
    const names = Object.keys(large);
    for (const name of names)
      await team.run("INSERT INTO properties (name, label, type, created_at) VALUES (?, ?, 'string', 1)", name, name);
    const row = (email: string, text: string) => [email, ...names.map(() => text)].join(",");
    const csv = [["email", ...names].join(","), row("a@example.com", "x".repeat(499)), row("b@example.com", "x")].join(
      "\n",
    );
    const { answer, outcome } = await importFile(team, csv);
    expect(answer).toMatchObject({ created: 1, refused: 1 });
    expect(outcome).toMatch(/refused,.*the contact would have 6\d{4} bytes/);
  });
});

describe("an event has at most 32 KB", () => {
  it("the properties above it are refused with field and cure; as many bytes pass", async () => {
    const send = (eventProperties: object) =>
      team.post("/events/send", { email: "a@example.com", eventName: "seen", eventProperties });
    const most = { ...values(66, "ü".repeat(242)), last: "" };
    const fitting = { ...most, last: "x".repeat(MAX_EVENT - bytesOf(most)) };
    expect(bytesOf(fitting)).toBe(MAX_EVENT);
    expect((await send({ ...fitting, last: `${fitting.last}x` })).json).toMatchObject({
      code: "invalid_request",
      path: "eventProperties",
      message: expect.stringMatching(/^eventProperties: must have at most 32768 bytes as JSON: shorten its values/),
    });
    expect((await send(fitting)).status).toBe(200);
  });
});
