import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { libraryOf } from "../../../../../src/email/workspace/content/library.ts";
import { sourceOf } from "../../../../../src/email/workspace/content/messages.ts";
import * as compiler from "../../../../../src/lib/lmx/message/compile-message.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const post = async (path: string, body: object = {}) => {
  // Within the limit of the content operations.
  advance(1_100);
  return team.post(path, body);
};
const theme = async (styles: object = {}): Promise<string> =>
  (await post("/themes", { name: "Brand", styles })).json.id;
const component = async (lmx: string): Promise<string> => (await post("/components", { name: "Part", lmx })).json.id;

const write = async (lmx: string): Promise<{ id: string; draft: string }> => {
  const { id, draftEmailMessageId: draft } = (await post("/transactional-emails", { name: "Mail" })).json;
  const answer = await post(`/email-messages/${draft}`, { subject: "Hi", fromName: "Acme", fromEmail: "hello", lmx });
  expect(answer.status, answer.text).toBe(200);
  return { id, draft };
};
const publish = (id: string) => post(`/transactional-emails/${id}/publish`);

/** Changes a component as if it had too many messages for an immediate check. */
const changeUnchecked = async (id: string, lmx: string): Promise<void> => {
  await team.run(`UPDATE components SET lmx = '${lmx}' WHERE id = '${id}'`);
  await team.run(`INSERT OR IGNORE INTO stale_messages SELECT message FROM message_uses WHERE used = '${id}'`);
  await runInDurableObject(team.stub, (_, { storage }) => storage.setAlarm(Date.now() + 1_000));
};

const waiting = async (): Promise<number> => {
  const [row] = await team.rows("SELECT count(*) AS waiting FROM stale_messages");
  return Number(row?.waiting);
};

const settle = async (): Promise<void> => {
  for (let runs = 0; (await waiting()) > 0; runs++) {
    expect(runs).toBeLessThan(200);
    advance(2_000);
    expect(await runDurableObjectAlarm(team.stub)).toBe(true);
  }
};

const compared = () =>
  team.inside((sql) =>
    sql
      .exec<{ id: string; source: string; compiled: string; is_sent: number; sent: string | null }>(
        `SELECT m.id, r.source, r.compiled, t.published_message IS m.n AS is_sent, p.compiled AS sent
         FROM templates t JOIN email_messages m ON m.n IN (t.draft_message, t.published_message)
         JOIN message_revisions r ON r.n = m.revision
         LEFT JOIN message_revisions p ON p.n = t.published AND m.n = t.published_message`,
      )
      .toArray()
      .map(({ id, source, compiled, is_sent, sent }) => {
        const written = sourceOf({ source });
        const fresh = compiler.compileMessage(written, "transactional", libraryOf(sql, written.lmx)).compiled;
        return { id, compiled, fresh: fresh && JSON.stringify(fresh), isSent: is_sent === 1, sent };
      }),
  );

const expectFresh = async (): Promise<void> => {
  for (const { id, compiled, fresh, isSent, sent } of await compared()) {
    if (fresh !== undefined) expect(compiled, id).toBe(fresh);
    if (isSent) expect(sent, id).toBe(compiled);
  }
};

const LINK = '<Paragraph><Link href="https://example.com">a</Link></Paragraph>';

it("a draft that is made of a published message before the alarm has come to it gets the new look too", async () => {
  const id = await theme({ textLinkColor: "#111111" });
  const { id: email } = await write(`<Style themeId="${id}" />${LINK}`);
  await publish(email);
  await post(`/themes/${id}`, { styles: { textLinkColor: "#222222" } });
  await post(`/transactional-emails/${email}/draft`);
  await publish(email);
  await settle();
  await expectFresh();
  expect((await compared()).every(({ compiled }) => compiled.includes("#222222"))).toBe(true);
});

it("the newest change wins when the theme is changed again while its messages are compiled", async () => {
  const id = await theme();
  for (let n = 0; n < 60; n++) await write(`<Style themeId="${id}" />${LINK}`);
  await post(`/themes/${id}`, { styles: { textLinkColor: "#111111" } });
  advance(2_000);
  await runDurableObjectAlarm(team.stub);
  const left = await waiting();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(60);
  expect((await team.get(`/themes/${id}`)).json.pendingEmailCount).toBe(left);
  expect((await post(`/themes/${id}`, { styles: { textLinkColor: "#222222" } })).json.pendingEmailCount).toBe(60);
  await settle();
  expect((await compared()).filter(({ compiled }) => compiled.includes("#222222"))).toHaveLength(60);
  expect((await team.get(`/themes/${id}`)).json.pendingEmailCount).toBe(0);
});

it("a crash between two runs of the alarm loses no message", async () => {
  const id = await theme();
  for (let n = 0; n < 110; n++) await write(`<Style themeId="${id}" />${LINK}`);
  await post(`/themes/${id}`, { styles: { textLinkColor: "#123456" } });
  for (let runs = 0; (await waiting()) > 0; runs++) {
    expect(runs).toBeLessThan(20);
    await evictDurableObject(team.stub);
    advance(2_000);
    expect(await runDurableObjectAlarm(team.stub)).toBe(true);
  }
  expect((await compared()).filter(({ compiled }) => compiled.includes("#123456"))).toHaveLength(110);
});

it("a request that arrives while messages are compiled is answered before the last of them", async () => {
  const id = await theme();
  for (let n = 0; n < 50; n++) await write(`<Style themeId="${id}" />${LINK}`);
  await post(`/themes/${id}`, { styles: { textLinkColor: "#123456" } });
  advance(2_000);
  const pending: number[] = [];
  const alarm = runDurableObjectAlarm(team.stub).then(() => pending.push(-1));
  for (let n = 0; n < 4; n++) pending.push((await team.get(`/themes/${id}`)).json.pendingEmailCount);
  await alarm;
  expect(pending.findIndex((count) => count > 0 && count < 50)).toBeGreaterThanOrEqual(0);
});

describe("a message that does not compile any more", () => {
  const breakIt = async () => {
    const part = await component("<Paragraph>One</Paragraph>");
    const broken = await write(`<Component componentId="${part}" />`);
    const id = await theme();
    const other = await write(`<Style themeId="${id}" />${LINK}`);
    return { part, broken, id, other };
  };

  it("does not stop the others", async () => {
    const { part, broken, id, other } = await breakIt();
    await changeUnchecked(part, "<Paragraph>{contact.firstName}</Paragraph>");
    await post(`/themes/${id}`, { styles: { textLinkColor: "#123456" } });
    await settle();
    const by = new Map((await compared()).map((one) => [one.id, one]));
    expect(by.get(broken.draft)?.compiled).toContain("One");
    expect(by.get(other.draft)?.compiled).toContain("#123456");
  });

  it("does not stop the others when the compiler throws", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const { id } = await breakIt();
    const both = await write(`<Style themeId="${id}" /><Paragraph>Boom</Paragraph>`);
    const { compileMessage } = compiler;
    vi.spyOn(compiler, "compileMessage").mockImplementation((source, ...rest) => {
      if (source.lmx.includes("Boom")) throw new Error("fault of the compiler");
      return compileMessage(source, ...rest);
    });
    await post(`/themes/${id}`, { styles: { textLinkColor: "#123456" } });
    await settle();
    vi.restoreAllMocks();
    const by = new Map((await compared()).map((one) => [one.id, one]));
    expect([...by.values()].filter(({ compiled }) => compiled.includes("#123456"))).toHaveLength(1);
    expect(by.get(both.draft)?.compiled).toContain("Boom");
  });

  it("gets the new look as soon as what broke it is fixed, however deep that is", async () => {
    const inner = await component("<Paragraph>Inner</Paragraph>");
    const outer = await component("<Paragraph>Outer</Paragraph>");
    await write(`<Component componentId="${outer}" />`);
    await post(`/components/${inner}`, { lmx: "<Paragraph>{contact.firstName}</Paragraph>" });
    await changeUnchecked(outer, `<Section><Component componentId="${inner}" /></Section>`);
    await settle();
    expect((await compared())[0]?.compiled).toContain("Outer");
    await post(`/components/${inner}`, { lmx: "<Paragraph>Fixed</Paragraph>" });
    await settle();
    expect((await compared())[0]?.compiled).toContain("Fixed");
  });

  it("that does not exist is no obstacle", async () => {
    const { id, other } = await breakIt();
    await team.run("INSERT INTO stale_messages VALUES (-1), (9999)");
    await post(`/themes/${id}`, { styles: { textLinkColor: "#123456" } });
    await settle();
    const by = new Map((await compared()).map((one) => [one.id, one]));
    expect(by.get(other.draft)?.compiled).toContain("#123456");
  });
});

type Edit =
  | { do: "theme" | "component" | "write"; pick: number; variant: number }
  | { do: "publish" | "draft" | "send" | "alarm" | "crash"; pick: number };

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom<("theme" | "component" | "write")[]>("theme", "component", "write"),
      pick: fc.nat(2),
      variant: fc.nat(7),
    }),
    fc.record({
      do: fc.constantFrom<("publish" | "draft" | "send" | "alarm" | "crash")[]>(
        ...(["publish", "draft", "send", "alarm", "crash"] as const),
      ),
      pick: fc.nat(2),
    }),
  ),
  { minLength: 6, maxLength: 16 },
);

describe("after any sequence of edits", () => {
  const documentOf = (variant: number, themes: readonly string[], parts: readonly string[]): string => {
    const use = (n: number) => `<Component componentId="${parts[n]}" />`;
    return [
      `<Style themeId="${themes[0]}" />${LINK}`,
      `<Style themeId="${themes[1]}" textLinkColor="#0f0f0f" />${LINK}${use(0)}`,
      `${LINK}${use(1)}`,
      `<Section>${use(0)}</Section>${use(2)}`,
      `<Style themeId="${themes[1]}" />${use(2)}`,
      "<Paragraph>{data.name}</Paragraph>",
      use(1),
      LINK,
    ][variant] as string;
  };

  it("every message equals a fresh compile, and what accepted mail sends never changes", async () => {
    let teams = 0;
    const play = async (list: Edit[]): Promise<void> => {
      team = await createTeam({ id: `team-${teams++}` });
      const [{ id: standard }] = (await team.get("/themes")).json.data;
      const themes = [standard as string, await theme()];
      const parts = [await component("<Paragraph>0</Paragraph>"), await component("<Paragraph>1</Paragraph>")];
      parts.push(await component(`<Section><Component componentId="${parts[0]}" /></Section>`));
      const mails = [
        await write(LINK),
        await write(documentOf(1, themes, parts)),
        await write(documentOf(3, themes, parts)),
      ];
      const sent = () =>
        team.rows(
          "SELECT r.n, r.source, r.compiled FROM sends s JOIN message_revisions r ON r.n = s.revision ORDER BY s.n",
        );
      let known: Awaited<ReturnType<typeof sent>> = [];

      for (const edit of list) {
        const email = mails[edit.pick]?.id;
        if (edit.do === "theme") {
          const styles = { textLinkColor: `#${edit.variant}${edit.pick}abcd`, bodyXPadding: edit.variant };
          expect((await post(`/themes/${themes[edit.pick % 2]}`, { styles })).status).toBe(200);
        } else if (edit.do === "component") {
          const inner = `<Section><Component componentId="${parts[0]}" /></Section>`;
          const bad = "<Paragraph>{contact.firstName}</Paragraph>";
          const lmx = edit.variant > 5 ? bad : edit.variant === 5 && edit.pick > 0 ? inner : `<H2>${edit.variant}</H2>`;
          if (edit.variant === 7) await changeUnchecked(parts[edit.pick] as string, lmx);
          else expect([200, 422]).toContain((await post(`/components/${parts[edit.pick]}`, { lmx })).status);
        } else if (edit.do === "write") {
          const { draftEmailMessageId } = (await post(`/transactional-emails/${email}/draft`)).json;
          const lmx = documentOf(edit.variant, themes, parts);
          expect([200, 422]).toContain((await post(`/email-messages/${draftEmailMessageId}`, { lmx })).status);
        } else if (edit.do === "publish") expect([200, 409, 422]).toContain((await publish(email ?? "")).status);
        else if (edit.do === "draft") await post(`/transactional-emails/${email}/draft`);
        else if (edit.do === "send") {
          const mail = { transactionalId: email, email: "ada@example.com", dataVariables: { name: "Ada" } };
          expect([200, 400]).toContain((await post("/transactional", mail)).status);
        } else if (edit.do === "crash") await evictDurableObject(team.stub);
        else {
          advance(2_000);
          await runDurableObjectAlarm(team.stub);
        }
        const now = await sent();
        expect(now.slice(0, known.length)).toEqual(known);
        known = now;
      }
      await settle();
      await expectFresh();
      expect(await sent()).toEqual(known);
    };
    await fc.assert(fc.asyncProperty(edits, play), { numRuns: inject("orders"), endOnFailure: false });
  }, 300_000);
});
