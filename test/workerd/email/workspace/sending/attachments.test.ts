import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import type { Attachment } from "../../../../../src/email/types/mail-handover.ts";
import { advance, createTeam, isolated, request, type Team } from "../../bench.ts";
import { fillTo } from "../core/filled.ts";

isolated();

const mail = { transactionalId: "tpl_magic_link", email: "ada@example.com" };
const base64 = (bytes: Uint8Array) => bytes.toBase64();
const large = Uint8Array.from({ length: 2_400_001 }, (_, n) => n % 251);
const attachments = [
  { filename: "März.pdf", contentType: "application/pdf", data: base64(new Uint8Array([1, 2, 3])) },
  { filename: "data.bin", contentType: "application/octet-stream", data: base64(large) },
];

let team: Team;
let variables: Record<string, string>;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  const { data } = (await team.get("/transactional")).json;
  const template = data.find(({ id }: { id: string }) => id === mail.transactionalId);
  variables = Object.fromEntries(template.dataVariables.map((name: string) => [name, "https://example.com/x"]));
});
const send = (more: object) => team.post("/transactional", { ...mail, dataVariables: variables, ...more });
const rows = () => team.rows("SELECT count(*) AS n FROM send_attachments");

describe("attachments", () => {
  it("are refused until the operator allows them for the team", async () => {
    const { status, json } = await send({ attachments });
    expect([status, json]).toMatchObject([400, { code: "attachments_not_enabled", path: "attachments" }]);
    expect(await team.rows("SELECT count(*) AS n FROM sends")).toEqual([{ n: 0 }]);
    expect((await team.admin("POST", "", { attachments: true })).json).toMatchObject({ attachments: true });
    expect((await send({ attachments })).status).toBe(200);
    await team.admin("POST", "", { attachments: false });
    expect((await send({ attachments })).json).toMatchObject({ code: "attachments_not_enabled" });
  });

  it("go with the mail, are shown in the inbox, and are erased when the send is settled", async () => {
    await team.admin("POST", "", { attachments: true });
    const taken: (readonly Attachment[])[] = [];
    const original = Inbox.prototype.capture;
    vi.spyOn(Inbox.prototype, "capture").mockImplementation(async function (this: Inbox, captured) {
      taken.push(captured.attachments);
      return taken.length === 1 ? { outcome: "deferred", message: "busy" } : original.call(this, captured);
    });
    const { id } = (await send({ attachments })).json;
    await vi.waitFor(async () => expect(await team.rows("SELECT state FROM sends")).toEqual([{ state: "queued" }]));
    expect(await rows()).toEqual([{ n: 4 }]);
    advance(2_000);
    await runDurableObjectAlarm(team.stub);
    await vi.waitFor(async () => expect(await team.rows("SELECT state FROM sends")).toEqual([{ state: "sent" }]));
    expect(await rows()).toEqual([{ n: 0 }]);
    expect(taken).toHaveLength(2);
    for (const [small, big] of taken) {
      expect(small).toEqual({
        filename: "März.pdf",
        contentType: "application/pdf",
        content: new Uint8Array([1, 2, 3]),
      });
      expect(big).toMatchObject({ filename: "data.bin", contentType: "application/octet-stream" });
      expect(base64(big?.content ?? new Uint8Array())).toBe(attachments[1]?.data);
    }
    expect((await request("GET", `/inbox/${id}.json`)).json.attachments).toEqual([
      { filename: "März.pdf", contentType: "application/pdf", size: 3 },
      { filename: "data.bin", contentType: "application/octet-stream", size: large.length },
    ]);
  });

  it("of a suppressed address are not stored", async () => {
    await team.admin("POST", "", { attachments: true });
    await team.admin("POST", "/suppressions", { email: mail.email });
    expect((await send({ attachments })).status).toBe(200);
    expect(await rows()).toEqual([{ n: 0 }]);
  });

  it("of a person who is erased are erased", async () => {
    await team.admin("POST", "", { attachments: true });
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "busy" });
    await send({ attachments });
    await vi.waitFor(async () => expect(await team.rows("SELECT state FROM sends")).toEqual([{ state: "queued" }]));
    expect(await rows()).toEqual([{ n: 4 }]);
    await team.admin("POST", "/erase", { emails: [mail.email] });
    expect(await rows()).toEqual([{ n: 0 }]);
  });

  it.each([
    ["attachments.0.filename", { filename: "setup.exe" }],
    ["attachments.0.contentType", { contentType: "pdf" }],
    ["attachments.0.data", { data: "not base64" }],
  ])("are refused with the path %s", async (path, change) => {
    await team.admin("POST", "", { attachments: true });
    const { status, json } = await send({ attachments: [{ ...attachments[0], ...change }] });
    expect([status, json]).toMatchObject([400, { code: "invalid_attachment", path, error: { path } }]);
    expect(json.message).toMatch(new RegExp(`^${path}: must `));
    expect(await team.rows("SELECT count(*) AS n FROM sends")).toEqual([{ n: 0 }]);
  });
});

describe("attachments in a full team", () => {
  beforeEach(() => team.admin("POST", "", { attachments: true }));

  it("leave the last 3 % of the room to plain mail", async () => {
    await fillTo(team, 0.96);
    expect((await send({ attachments: attachments.slice(0, 1) })).status).toBe(200);
    const refused = await send({ attachments });
    expect([refused.status, refused.headers.get("Retry-After"), refused.json]).toMatchObject([
      507,
      "60",
      { code: "storage_full", path: "attachments", transactionalId: mail.transactionalId },
    ]);
    expect(refused.json.message).toMatch(/^The data of the team uses .* Send the mail without them/);
    await fillTo(team, 0.97);
    expect((await send({ attachments: attachments.slice(0, 1) })).status).toBe(507);
    expect((await send({ attachments: [] })).status).toBe(200);
    expect((await send({})).status).toBe(200);
  });

  it("that wait because no mail leaves stop before the reserve", async () => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue({ outcome: "deferred", message: "busy" });
    const data = base64(large.slice(0, 1_000));
    const flood = [{ filename: "a.bin", contentType: "application/octet-stream", data }];
    await fillTo(team, 0.955);
    const statuses = [];
    for (let n = 0; n < 40; n++) statuses.push((await send({ attachments: flood })).status);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect(statuses.at(-1)).toBe(507);
    expect((await send({})).status).toBe(200);
  });
});
