import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
let id: string;
let path: string;
beforeEach(async () => {
  team = await createTeam();
  const { json } = await team.post("/transactional-emails", { name: "Order shipped" });
  id = json.id;
  path = `/email-messages/${json.draftEmailMessageId}`;
});

const content = {
  subject: "Order {data.number}",
  fromName: "Acme",
  fromEmail: "orders",
  lmx: '<Paragraph>Hello</Paragraph>\n<Button href="https://example.com/{data.number}">Track it</Button>',
};
const publish = () => team.post(`/transactional-emails/${id}/publish`, {});
const guardian = async () => (await team.get(`${path}/guardian`)).json;

describe("the guardian", () => {
  it("finds nothing in a good message, and what is missing in an empty one", async () => {
    const { status, json } = await team.get(`${path}/guardian`);
    expect([status, json]).toEqual([
      200,
      {
        errors: [
          {
            rule: "mailspan.emptyFields",
            title: expect.any(String),
            description: expect.any(String),
            items: ["subject", "fromName", "fromEmail", "lmx:1:1"].map((at) => ({
              label: at.split(":")[0],
              path: at,
              line: 1,
              column: 1,
              fix: "is required to publish",
            })),
          },
        ],
        warnings: [],
      },
    ]);
    await team.post(path, content);
    expect(await guardian()).toEqual({ errors: [], warnings: [] });
  });

  it("writes nothing, and its findings have place and fix", async () => {
    await team.post(path, { ...content, lmx: '<Button>Go</Button>\n<Image src="http://example.com/a.png"/>' });
    const before = await team.everything();
    const { errors, warnings } = await guardian();
    expect(errors).toMatchObject([
      {
        rule: "missingButtonHrefs",
        items: [{ label: "Go", path: "lmx:1:1", line: 1, column: 1, fix: expect.stringContaining("href=") }],
      },
    ]);
    expect(warnings.map(({ rule }: { rule: string }) => rule)).toEqual([
      "mailspan.insecureLinks",
      "mailspan.missingAlt",
    ]);
    expect(await team.everything()).toBe(before);
  });

  it("names the variables that senders of the published message do not give yet", async () => {
    await team.post(path, { ...content, dataVariablesFallbacks: { number: "?" } });
    expect((await guardian()).warnings).toEqual([]);
    await publish();
    expect((await guardian()).warnings).toEqual([]);
    const { draftEmailMessageId } = (await team.post(`/transactional-emails/${id}/draft`, {})).json;
    path = `/email-messages/${draftEmailMessageId}`;
    await team.post(path, { subject: "{data.number} {data.coupon}", dataVariablesFallbacks: { number: null } });
    expect((await guardian()).warnings).toMatchObject([
      { rule: "missingRequiredDataVariables", items: [{ codeName: "number" }, { codeName: "coupon" }] },
    ]);
    await publish();
    expect((await guardian()).warnings).toEqual([]);
  });

  it("sees a message that a changed component has broken", async () => {
    const component = (await team.post("/components", { name: "Hi", lmx: "<Paragraph>Hi</Paragraph>" })).json.id;
    await team.post(path, { ...content, lmx: `<H1>A</H1>\n<Component componentId="${component}"/>` });
    await team.run(
      `UPDATE components SET lmx = '<Paragraph>Hi {contact.firstName}</Paragraph>' WHERE id = '${component}'`,
    );
    expect((await guardian()).errors).toMatchObject([
      {
        rule: "unsupportedContactProperties",
        items: [
          {
            label: "{contact.firstName}",
            codeName: "firstName",
            path: "lmx:2:1",
            line: 2,
            column: 1,
            component: { id: component, line: 1, column: 15 },
            fix: expect.stringContaining(`In the component ${component}, line 1, column 15: `),
          },
        ],
      },
    ]);
    const { status, json } = await publish();
    expect([status, json.code, json.errors[0].rule]).toEqual([422, "invalid_content", "unsupportedContactProperties"]);
  });

  it("of another team's message, or of none, is 404", async () => {
    const other = await createTeam({ id: "other" });
    for (const at of [path, "/email-messages/msg_none"]) {
      const { status, json } = await other.get(`${at}/guardian`);
      expect([status, json.code, json.path]).toEqual([404, "email_message_not_found", "emailMessageId"]);
    }
  });
});

describe("publishing", () => {
  it("refuses every error of the guardian, and no warning", async () => {
    const lmx = '<Button>Go</Button>\n<Paragraph><Link href="https://localhost/a">here</Link></Paragraph>';
    await team.post(path, { ...content, lmx });
    const before = await team.everything();
    const { status, json } = await publish();
    expect([status, json]).toEqual([
      422,
      {
        success: false,
        code: "invalid_content",
        path: "lmx",
        message: 'lmx:1:1: <Button> leads nowhere: add href="https://…" (1 more in errors)',
        errors: [
          { rule: "missingButtonHrefs", path: "lmx:1:1", message: '<Button> leads nowhere: add href="https://…"' },
          {
            rule: "invalidLinkHrefs",
            path: "lmx:2:24",
            message: 'href="https://localhost/a": give an address that every reader can open',
          },
        ],
      },
    ]);
    expect(await team.everything()).toBe(before);
    const warned = '<Paragraph>unsubscribe <Link href="http://example.com">here</Link></Paragraph>';
    await team.post(path, { lmx: warned });
    expect((await guardian()).warnings).toHaveLength(2);
    expect((await publish()).status).toBe(200);
  });
});
