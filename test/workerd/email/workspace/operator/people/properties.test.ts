import { beforeEach, describe, expect, it } from "vitest";
import { FILL } from "../../../../../../bench/fill.ts";
import { SLICE } from "../../../../../../src/email/workspace/contacts/property-removal.ts";
import { showUsage } from "../../../../../../src/email/workspace/operator/people/properties.ts";
import { admin, arranged, createTeam, runAlarm, type Team } from "../../../bench.ts";
import { counted } from "../../counted.ts";

const arrangement = arranged(async () => {
  const made = await createTeam();
  await made.post("/contacts/properties", { name: "plan", type: "string" });
  await made.post("/contacts/properties", { name: "seats", type: "number" });
  return made;
});
let team: Team;
beforeEach(() => {
  team = arrangement();
});

type Usage = { name: string; filled: number; samples: string[]; usedBy: { kind: string; name: string }[] };
const usage = async (): Promise<{ data: (Usage & Record<string, unknown>)[]; sampled: number }> => {
  const { status, json, text } = await team.admin("GET", "/properties/usage");
  expect(status, text).toBe(200);
  return json;
};
const usageOf = async (name: string) => (await usage()).data.find((one) => one.name === name);
const usedBy = async (name: string) => (await usageOf(name))?.usedBy.map(({ kind, name: of }) => `${kind} ${of}`);
const remove = (name: string) => team.admin("DELETE", `/properties/${name}`);
const filterOn = (key: string) => ({
  match: "all",
  conditions: [{ type: "property", key, operator: "equals", value: "pro" }],
});

describe("the usage of contact properties", () => {
  it("has how many contacts have a value, with examples", async () => {
    await team.put("/contacts/update", { email: "a@example.com", plan: "free", seats: 0 });
    await team.put("/contacts/update", { email: "b@example.com", plan: "", firstName: "Bob" });
    await team.put("/contacts/update", { email: "c@example.com", plan: "pro" });
    await team.put("/contacts/update", { email: "d@example.com", plan: "x".repeat(200) });
    const { data, sampled } = await usage();
    const of = (name: string) => data.find((one) => one.name === name);
    expect(sampled).toBe(4);
    expect(of("plan")).toEqual({
      name: "plan",
      label: "Plan",
      description: "",
      type: "string",
      isStandard: false,
      usedBy: [],
      filled: 3,
      samples: ["x".repeat(80), "pro", "free"],
    });
    expect(of("seats")).toMatchObject({ filled: 1, samples: ["0"] });
    expect(of("firstName")).toMatchObject({ isStandard: true, filled: 1, samples: ["Bob"] });
    expect(of("email")).toMatchObject({ filled: 4 });
  });

  it("names the segments, campaigns and workflows with the property in a filter, a trigger or a mail", async () => {
    await team.post("/audience-segments", { name: "Pros", filter: filterOn("plan") });
    const { json: campaign } = await team.post("/campaigns", { name: "Spring", audienceFilter: filterOn("plan") });
    const { json: mail } = await team.get(`/email-messages/${campaign.emailMessageId}`);
    const lmx = "<Paragraph>{contact.seats} seats</Paragraph>";
    const saved = await team.post(`/email-messages/${campaign.emailMessageId}`, {
      expectedRevisionId: mail.contentRevisionId,
      subject: "Hello {contact.plan}",
      lmx,
    });
    expect(saved.status, saved.text).toBe(200);
    const { json: workflow } = await team.post("/workflows", { name: "Upgrade" });
    const contactPropertyQuery = {
      key: "seats",
      is: { operator: "any", value: "" },
      was: { operator: "any", value: "" },
    };
    const trigger = {
      typeName: "ContactPropertyTrigger",
      contactPropertyQuery,
      reEligible: false,
      k: 1,
      nextNodeIds: [],
    };
    await team.run(
      "UPDATE workflows SET graph = json_patch(graph, ?) WHERE id = ?",
      JSON.stringify({ nodes: { [workflow.rootNodeId]: trigger } }),
      workflow.id,
    );
    expect(await usedBy("plan")).toEqual(["segment Pros", "campaign Spring"]);
    expect(await usedBy("seats")).toEqual(["workflow Upgrade", "campaign Spring"]);
    await team.run("UPDATE campaigns SET status = 'Sent'");
    expect(await usedBy("seats")).toEqual(["workflow Upgrade"]);
  });

  it("looks at a sample, however many contacts there are", async () => {
    await team.inside((real) => {
      const rowsRead = (from: number, to: number) => {
        real.exec(FILL, from, to);
        const { sql, take } = counted(real);
        const { sampled } = showUsage({ sql, now: 1 }).body;
        return { sampled, read: take().read };
      };
      const few = rowsRead(0, 1_999);
      expect(few.sampled).toBe(1_000);
      expect(rowsRead(2_000, 19_999)).toEqual(few);
    });
  });
});

describe("a custom property", () => {
  it("gets a label and a description", async () => {
    const { status, json } = await team.admin("POST", "/properties/plan", {
      label: "Tariff",
      description: "What is paid",
    });
    expect([status, json]).toEqual([
      200,
      { name: "plan", label: "Tariff", description: "What is paid", type: "string" },
    ]);
    await team.admin("POST", "/properties/plan", { label: "Plan" });
    expect(await usageOf("plan")).toMatchObject({ label: "Plan", description: "What is paid" });
    await team.admin("POST", "/properties/plan", { description: null });
    expect(await usageOf("plan")).toMatchObject({ label: "Plan", description: "" });
    const listed = (await team.get("/contacts/properties?list=custom")).json;
    expect(listed[0]).toEqual({ name: "plan", key: "plan", label: "Plan", type: "string" });
  });

  it("is deleted with its values, in slices, and can be created again after that", async () => {
    await team.inside((sql) => {
      sql.exec(FILL, 0, SLICE);
    });
    const withPlan = () =>
      team.rows("SELECT count(*) AS count FROM contacts WHERE json_type(data, '$.properties.plan') IS NOT NULL");
    expect(await withPlan()).toEqual([{ count: SLICE + 1 }]);
    expect(await remove("plan")).toMatchObject({ status: 200, json: { success: true } });
    const again = () => team.post("/contacts/properties", { name: "plan", type: "number" });
    expect((await again()).json).toMatchObject({ code: "property_exists", path: "name" });
    expect((await team.put("/contacts/update", { email: "a@example.com", plan: 1 })).json.code).toBe(
      "unknown_property",
    );
    await runAlarm(team.stub);
    expect(await withPlan()).toEqual([{ count: 1 }]);
    expect((await again()).status).toBe(400);
    await runAlarm(team.stub);
    expect(await withPlan()).toEqual([{ count: 0 }]);
    expect(await team.rows("SELECT json_type(data, '$.properties.seats') AS seats FROM contacts LIMIT 1")).toEqual([
      { seats: "integer" },
    ]);
    expect((await again()).status).toBe(200);
  });

  it("is not deleted while something uses it", async () => {
    await team.post("/audience-segments", { name: "Pros", filter: filterOn("plan") });
    const { status, json } = await remove("plan");
    expect([status, json.code, json.path]).toEqual([409, "property_in_use", "name"]);
    expect(json.message).toContain('segment "Pros"');
    expect(json.users).toEqual([{ kind: "segment", id: expect.any(String), name: "Pros" }]);
    expect(await usageOf("plan")).toBeDefined();
  });

  it("is refused where it is standard, unknown, or nothing is changed", async () => {
    for (const [method, name, body, status, code, path] of [
      ["DELETE", "firstName", undefined, 400, "invalid_request", "name"],
      ["DELETE", "absent", undefined, 404, "not_found", "name"],
      ["POST", "email", { label: "E" }, 400, "invalid_request", "name"],
      ["POST", "absent", { label: "E" }, 404, "not_found", "name"],
      ["POST", "plan", {}, 400, "invalid_request", "label"],
      ["POST", "plan", { label: " " }, 400, "invalid_request", "label"],
      ["POST", "plan", { description: "x".repeat(501) }, 400, "invalid_request", "description"],
      ["POST", "plan", { type: "number", label: "x" }, 400, "invalid_request", "type"],
    ] as const) {
      const { status: got, json } = await team.admin(method, `/properties/${name}`, body);
      expect([got, json.code, json.path], `${method} ${name}`).toEqual([status, code, path]);
    }
  });

  it("of another team is not reached", async () => {
    const other = await createTeam({ id: "other" });
    expect((await other.admin("DELETE", "/properties/plan")).status).toBe(404);
    expect((await other.admin("GET", "/properties/usage")).text).not.toContain('"plan"');
    expect((await admin("GET", "/admin/teams/ghost/properties/usage")).status).toBe(404);
    expect(await usageOf("plan")).toBeDefined();
  });
});
