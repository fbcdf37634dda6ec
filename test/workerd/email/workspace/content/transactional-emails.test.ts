import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const add = async (n: number, { draft = false, published = false }) => {
  const message = (kind: string) =>
    team.run(
      "INSERT INTO email_messages (id, template, revision, created_at, updated_at) VALUES (?, ?, 1, 0, 0)",
      `msg_${kind}_${n}`,
      n,
    );
  if (draft) await message("draft");
  if (published) await message("published");
  await team.run(
    `INSERT INTO templates (n, id, name, published, created_at, updated_at, draft_message, published_message)
     VALUES (?, ?, 'T', ?, 1000, 2000, (SELECT n FROM email_messages WHERE id = ?), (SELECT n FROM email_messages WHERE id = ?))`,
    // Higher than any number made from the time.
    8_000_000_000_000_000 + n,
    `tpl_${n}`,
    published ? 1 : null,
    `msg_draft_${n}`,
    `msg_published_${n}`,
  );
};

const ids = async (query = "") =>
  (await team.get(`/transactional-emails${query}`)).json.data.map(({ id }: { id: string }) => id);

describe("a transactional email", () => {
  it("has its message and variables when it is published", async () => {
    const { status, json } = await team.get("/transactional-emails/tpl_welcome");
    const at = new Date(START).toISOString();
    expect([status, { ...json, dataVariables: json.dataVariables.toSorted() }]).toEqual([
      200,
      {
        id: "tpl_welcome",
        url: "http://localhost/v1/transactional-emails/tpl_welcome",
        name: "Welcome",
        draftEmailMessageId: null,
        publishedEmailMessageId: expect.stringMatching(/^msg_[0-9a-z]{20}$/),
        transactionalGroupId: null,
        createdAt: at,
        updatedAt: at,
        dataVariables: ["company", "name", "website"],
      },
    ]);
    expect((await team.get(json.url.replace(/^.*\/v1/, ""))).json).toEqual(json);
    expect((await team.get("/transactional-emails")).json.data).toContainEqual(json);
  });

  it("has no variables as a draft, and both messages while it is edited", async () => {
    await add(10, { draft: true });
    await add(11, { draft: true, published: true });
    expect((await team.get("/transactional-emails/tpl_10")).json).toMatchObject({
      draftEmailMessageId: "msg_draft_10",
      publishedEmailMessageId: null,
      dataVariables: [],
      createdAt: "1970-01-01T00:00:01.000Z",
      updatedAt: "1970-01-01T00:00:02.000Z",
    });
    expect((await team.get("/transactional-emails/tpl_11")).json).toMatchObject({
      draftEmailMessageId: "msg_draft_11",
      publishedEmailMessageId: "msg_published_11",
    });
  });

  it("is 404 if it does not exist, and 400 for an id of more than 100 characters", async () => {
    expect(await team.get("/transactional-emails/tpl_x")).toMatchObject({
      status: 404,
      json: { code: "transactional_not_found", path: "transactionalId" },
    });
    expect((await team.get(`/transactional-emails/${"x".repeat(101)}`)).status).toBe(400);
  });
});

describe("the list", () => {
  const samples = [
    "tpl_welcome",
    "tpl_magic_link",
    "tpl_password_reset",
    "tpl_invitation",
    "tpl_receipt",
    "tpl_security_notice",
    "tpl_payment_failed",
    "tpl_trial_ending",
    "tpl_cancellation",
    "tpl_ended_unpaid",
  ];

  it("has the published ones, or those of the requested status", async () => {
    await add(10, { draft: true });
    await add(11, { draft: true, published: true });
    const published = ["tpl_11", ...(await ids()).slice(1)];
    expect(published.toSorted()).toEqual(["tpl_11", ...samples].toSorted());
    expect(await ids()).toEqual(published);
    expect(await ids("?status=published")).toEqual(published);
    expect(await ids("?status=draft")).toEqual(["tpl_11", "tpl_10"]);
    expect(await ids("?status=all")).toEqual(["tpl_11", "tpl_10", ...published.slice(1)]);
    for (const [query, total] of [
      ["", samples.length + 1],
      ["?status=draft", 2],
      ["?status=all", samples.length + 2],
    ]) {
      expect((await team.get(`/transactional-emails${query}`)).json.pagination.totalResults).toBe(total);
    }
  });

  it("of any other status is refused", async () => {
    for (const status of ["Draft", "sent"]) {
      expect((await team.get(`/transactional-emails?status=${status}`)).json).toMatchObject({
        code: "invalid_request",
        path: "status",
      });
    }
  });

  it("keeps its status on the next page", async () => {
    for (let n = 10; n < 25; n++) await add(n, { draft: true });
    const { json } = await team.get("/transactional-emails?status=draft&perPage=10");
    const next = await team.get(json.pagination.nextPage.replace("http://localhost/v1", ""));
    expect(next.json.data.map(({ id }: { id: string }) => id)).toEqual([
      "tpl_14",
      "tpl_13",
      "tpl_12",
      "tpl_11",
      "tpl_10",
    ]);
    expect(next.json.pagination).toMatchObject({ totalResults: 15, totalPages: 2, nextCursor: null, nextPage: null });
  });

  it("counts in the content window: 60 in 60 s, beside the team's", async () => {
    const paths = ["/transactional-emails", "/transactional-emails/tpl_welcome", "/transactional-emails/none"];
    for (let i = 0; i < 60; i++) {
      expect((await team.get(paths[i % 3] ?? "")).status).toBe(i % 3 === 2 ? 404 : 200);
    }
    advance(1_000);
    const { status, headers } = await team.send("GET", "/transactional-emails");
    expect([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual([429, "60", "0"]);
    // The first of the 60 requests was 60 steps of 100 ms and one second ago, minus the step before it.
    expect(headers.get("x-ratelimit-reset")).toBe(`${60_000 - 59 * 100 - 1_000}`);
    expect((await team.send("GET", "/transactional")).status).toBe(200);
    expect((await team.send("GET", "/event-patterns")).status).toBe(200);
  });
});
