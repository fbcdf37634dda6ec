import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
let message: string;
let component: string;
beforeEach(async () => {
  team = await createTeam();
  const { draftEmailMessageId } = (await team.post("/transactional-emails", { name: "Order shipped" })).json;
  message = `/email-messages/${draftEmailMessageId}`;
  component = `/components/${(await team.post("/components", { name: "Footer", lmx: "<Divider/>" })).json.id}`;
});

const long = (length: number) => "x".repeat(length);
const pathOf = { message: () => message, component: () => component, components: () => "/components" };

describe("a document of more than 100 KB", () => {
  it.each(["message", "component", "components"] as const)("is 413 for a %s", async (target) => {
    const post = (lmx: string) => team.post(pathOf[target](), { lmx, ...(target === "message" ? {} : { name: "A" }) });
    const text = (bytes: number) => `<Paragraph>${long(bytes - "<Paragraph></Paragraph>".length)}</Paragraph>`;
    expect((await post(text(100_000))).status).toBeLessThan(300);
    const before = await team.everything();
    for (const lmx of [text(100_001), "é".repeat(50_001), long(900_000)]) {
      const { status, json } = await post(lmx);
      const message = "lmx: must be at most 100000 bytes.";
      expect([status, json]).toEqual([413, { success: false, code: "body_too_large", path: "lmx", message }]);
    }
    const whole = await post(long(1_000_001));
    expect([whole.status, whole.json.code, whole.json.message]).toEqual([413, "body_too_large", expect.any(String)]);
    expect(await team.everything()).toBe(before);
  });
});

describe("a field that is too long", () => {
  const fallback = { [long(101)]: "x" };
  it.each([
    ["message", "subject", { subject: long(501) }],
    ["message", "previewText", { previewText: long(501) }],
    ["message", "fromName", { fromName: long(201) }],
    ["message", "fromEmail", { fromEmail: long(201) }],
    ["message", "replyToEmail", { replyToEmail: `${long(250)}@example.com` }],
    ["message", "ccEmail", { ccEmail: `${long(250)}@example.com` }],
    ["message", "bccEmail", { bccEmail: `${long(250)}@example.com` }],
    ["message", "languageCode", { languageCode: long(60) }],
    ["message", "expectedRevisionId", { expectedRevisionId: long(101) }],
    ["message", "dataVariablesFallbacks.name", { dataVariablesFallbacks: { name: long(501) } }],
    ["message", `contactPropertiesFallbacks.${long(101)}`, { contactPropertiesFallbacks: fallback }],
    ["message", `eventPropertiesFallbacks.${long(101)}`, { eventPropertiesFallbacks: fallback }],
    ["component", "name", { name: long(101) }],
    ["components", "name", { name: long(101), lmx: "<Divider/>" }],
  ] as const)("of a %s is 400 at %s", async (target, field, body) => {
    const before = await team.everything();
    const { status, json } = await team.post(pathOf[target](), body);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", field]);
    expect(json.message.startsWith(`${field}: `)).toBe(true);
    expect(await team.everything()).toBe(before);
  });
});

describe("content that does not fit its row", () => {
  it("is refused when fallbacks of several edits add up", async () => {
    const many = (name: string) =>
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`${name}${index}`, long(500)]));
    expect((await team.post(message, { dataVariablesFallbacks: many("a") })).status).toBe(200);
    const before = await team.everything();
    const { status, json } = await team.post(message, { contactPropertiesFallbacks: many("b") });
    expect([status, json]).toEqual([
      400,
      {
        success: false,
        code: "invalid_request",
        path: "contactPropertiesFallbacks",
        message: "contactPropertiesFallbacks: all fallbacks must have at most 100000 bytes.",
      },
    ]);
    expect(await team.everything()).toBe(before);
    const removed = Object.fromEntries(Object.keys(many("a")).map((name) => [name, null]));
    expect((await team.post(message, { subject: "Hello" })).status).toBe(200);
    expect((await team.post(message, { dataVariablesFallbacks: removed })).status).toBe(200);
  });

  it("is refused when its HTML gets too large", async () => {
    const before = await team.everything();
    const { status, json } = await team.post(message, { lmx: "<Button>a</Button>".repeat(5_000) });
    expect([status, json.code, json.errors.at(-1)]).toEqual([
      422,
      "invalid_content",
      {
        rule: "too_large",
        path: expect.stringMatching(/^lmx:1:\d+$/),
        message: expect.stringMatching(/^The mail gets larger than 1400 KB of HTML here: shorten it$/),
      },
    ]);
    expect(await team.everything()).toBe(before);
  });
});

describe("invalidTags of a component that is refused", () => {
  it.each([
    ["<Blink>a</Blink><Blink>b</Blink><Style/><Paragraph><H1>x</H1></Paragraph>", ["Blink", "Style", "H1"]],
    [`<${long(300)}/>`, [`${long(40)}…`]],
  ])("names each tag once: %s", async (lmx, invalidTags) => {
    for (const [path, body] of [
      ["/components", { name: "A", lmx }],
      [component, { lmx }],
    ] as const) {
      const { status, json } = await team.post(path, body);
      expect([status, json.code, json.path, json.invalidTags]).toEqual([422, "invalid_content", "lmx", invalidTags]);
    }
  });

  it("is absent where all tags are right", async () => {
    const { json } = await team.post(component, { lmx: "<Paragraph>{name}</Paragraph>" });
    expect([json.code, "invalidTags" in json]).toEqual(["invalid_content", false]);
  });
});
