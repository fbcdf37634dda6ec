import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, runAlarm, type Team } from "../../bench.ts";

isolated();

let team: Team;
let id: string;
let message: string;
beforeEach(async () => {
  team = await createTeam();
  const { json } = await team.post("/transactional-emails", { name: "Order shipped" });
  [id, message] = [json.id, json.draftEmailMessageId];
});

const edit = async (changes: object, of = message) =>
  (await team.post(`/email-messages/${of}`, changes)).json.contentRevisionId as string;
const list = async (query = "", of = message) => {
  const { status, json, text } = await team.admin("GET", `/email-messages/${of}/revisions${query}`);
  expect(status, text).toBe(200);
  return json as { data: { id: string; emailMessageId: string; isCurrent: boolean }[]; next: string | null };
};
const restore = (body: object, of = message) => team.admin("POST", `/email-messages/${of}/restore`, body);
const hello = (name: string) => ({ lmx: `<Paragraph>Hello ${name}</Paragraph>` });

describe("the revisions of a message", () => {
  it("are listed newest first, page by page", async () => {
    const first = (await list()).data[0]?.id;
    const second = await edit({ subject: "Second", ...hello("Ada") });
    const third = await edit({ subject: "Third" });
    expect(await list()).toEqual({
      data: [
        {
          id: third,
          emailMessageId: message,
          subject: "Third",
          characters: 32,
          isCurrent: true,
          createdAt: expect.stringMatching(/^\d{4}-/),
        },
        expect.objectContaining({ id: second, subject: "Second", isCurrent: false }),
        expect.objectContaining({ id: first, subject: "", characters: 0, isCurrent: false }),
      ],
      next: null,
    });
    const page = await list("?perPage=10");
    expect(page.next).toBeNull();
    for (let n = 0; n < 10; n += 1) await edit({ subject: `No. ${n}` });
    const newest = await list("?perPage=10");
    const older = await list(`?perPage=10&cursor=${newest.next}`);
    expect([...newest.data, ...older.data].map((one) => one.id).slice(-3)).toEqual([third, second, first]);
    expect(older.next).toBeNull();
  });

  it("have their whole content", async () => {
    const second = await edit({ subject: "Second", dataVariablesFallbacks: { name: "you" }, ...hello("Ada") });
    await edit({ subject: "Third" });
    const { json } = await team.admin("GET", `/email-messages/${message}/revisions/${second}`);
    expect(json).toMatchObject({
      id: second,
      isCurrent: false,
      content: { subject: "Second", ...hello("Ada"), dataVariablesFallbacks: { name: "you" }, fromName: "" },
    });
  });

  it("are none of a change of a theme", async () => {
    const { data } = (await team.get("/themes")).json;
    await edit(hello("Ada"));
    const before = await list();
    await team.post(`/themes/${data[0].id}`, { styles: { textLinkColor: "#4f46e5" } });
    expect(await runAlarm(team.stub)).toBe(true);
    expect(await list()).toEqual(before);
  });

  it("go on from one draft of a transactional email to the next", async () => {
    const published = await edit({ subject: "One", fromName: "Acme", fromEmail: "orders", ...hello("Ada") });
    expect((await team.post(`/transactional-emails/${id}/publish`, {})).status).toBe(200);
    const draft = (await team.post(`/transactional-emails/${id}/draft`, {})).json.draftEmailMessageId;
    expect(draft).not.toBe(message);
    const own = await edit({ subject: "Two" }, draft);
    const all = (await list("", draft)).data;
    expect(all.map((one) => one.id)).toEqual(expect.arrayContaining([own, published]));
    expect(all[0]).toMatchObject({ id: own, isCurrent: true });
    const other = (await team.post("/transactional-emails", { name: "Other" })).json.draftEmailMessageId;
    expect((await list("", other)).data).toHaveLength(1);
  });

  it("are restored as an edit, so that none is lost", async () => {
    const first = await edit({ subject: "First", dataVariablesFallbacks: { name: "you" }, ...hello("{data.name}") });
    const second = await edit({
      subject: "Second",
      dataVariablesFallbacks: { name: null, city: "Bern" },
      ...hello("Ada"),
    });
    const { status, json } = await restore({ revisionId: first, expectedRevisionId: second });
    expect([status, json]).toMatchObject([
      200,
      { subject: "First", dataVariablesFallbacks: { name: "you" }, ...hello("{data.name}") },
    ]);
    expect(json.dataVariablesFallbacks).toEqual({ name: "you" });
    expect((await list()).data.map((one) => one.id).slice(0, 3)).toEqual([json.contentRevisionId, second, first]);
    expect((await team.get(`/email-messages/${message}`)).json).toMatchObject({ subject: "First" });
  });
});

describe("a request for a revision is refused", () => {
  it("where there is no such message or revision", async () => {
    const other = (await team.post("/transactional-emails", { name: "Other" })).json.draftEmailMessageId;
    const [theirs] = (await list("", other)).data;
    expect(await team.admin("GET", "/email-messages/msg_none/revisions")).toMatchObject({
      status: 404,
      json: { code: "email_message_not_found" },
    });
    for (const revisionId of ["rev_999", "rev_x", theirs?.id]) {
      const refusal = { status: 404, json: { code: "revision_not_found", path: "revisionId" } };
      expect(await team.admin("GET", `/email-messages/${message}/revisions/${revisionId}`)).toMatchObject(refusal);
      expect(await restore({ revisionId })).toMatchObject(refusal);
    }
    expect(await restore({})).toMatchObject({ status: 400, json: { path: "revisionId" } });
  });

  it("where somebody changed the message meanwhile", async () => {
    const first = await edit({ subject: "First" });
    const second = await edit({ subject: "Second" });
    expect(await restore({ revisionId: first, expectedRevisionId: first })).toMatchObject({
      status: 409,
      json: { code: "revision_conflict" },
    });
    expect((await list()).data[0]?.id).toBe(second);
  });

  it("where the message is published and stays as it is", async () => {
    const first = await edit({ subject: "One", fromName: "Acme", fromEmail: "orders", ...hello("Ada") });
    await team.post(`/transactional-emails/${id}/publish`, {});
    expect(await restore({ revisionId: first })).toMatchObject({ status: 409, json: { code: "message_published" } });
  });
});
