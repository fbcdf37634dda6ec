import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultTheme } from "../../src/lib/lmx/language/theme.ts";
import type { Mailspan } from "../system/mailspan.ts";
import { standIn } from "./cli.ts";
import { createTeam, pause, startService } from "./team.ts";
import { goProgram, run, sayMissing } from "./tools.ts";

// The official command-line client drives every operation for content. Without Go, a stand-in sends the same
// requests.

const PROGRAM = "github.com/loops-so/cli";
const installed = goProgram(PROGRAM, "latest", "cli");
if ("missing" in installed) {
  sayMissing(`The command-line client ${PROGRAM}`, `${installed.missing} A stand-in sends its requests instead.`);
}

let mailspan: Mailspan;
let folder: string;
beforeAll(async () => {
  mailspan = await startService();
  folder = await mkdtemp(join(tmpdir(), "mailspan-cli-"));
});
afterAll(async () => {
  await mailspan.stop();
  await rm(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
type Printed = any;

const clientOf = (key: string) => {
  const base = `${mailspan.emailUrl}/v1`;
  return async (...args: string[]): Promise<Printed> => {
    await pause();
    if ("missing" in installed) return standIn(base, key, args);
    const env = { LOOPS_API_KEY: key, LOOPS_ENDPOINT_URL: base, LOOPS_CONFIG_DIR: folder };
    return JSON.parse(run(installed.path, [...args, "--output", "json"], env).text);
  };
};

it("writes, publishes and changes a transactional email", async () => {
  const { key } = await createTeam(mailspan, "cli-mail");
  const loops = clientOf(key);
  const group = await loops("transactional-groups", "create", "--name", "Orders", "--description", "About orders");
  const created = await loops("transactional", "create", "--name", "Shipped", "--transactional-group-id", group.id);
  expect(created).toMatchObject({
    name: "Shipped",
    transactionalGroupId: group.id,
    publishedEmailMessageId: null,
    dataVariables: [],
    url: expect.stringMatching(/^http/),
    draftEmailMessageContentRevisionId: expect.stringMatching(/^rev_/),
  });
  const { id, draftEmailMessageId: message, draftEmailMessageContentRevisionId: first } = created;
  const lmx = "<Paragraph>Hello {data.name}</Paragraph>\n";
  await writeFile(join(folder, "mail.lmx"), lmx);
  const update = (...args: string[]) => loops("email-messages", "update", message, ...args);
  const written = await update(
    "--expected-revision-id",
    first,
    "--subject",
    "Order",
    "--preview-text",
    "On its way",
    "--from-name",
    "Acme",
    "--from-email",
    "orders@example.com",
    "--reply-to",
    "help@example.com",
    "--language-code",
    "en",
    "--email-format",
    "styled",
    "--lmx-file",
    join(folder, "mail.lmx"),
    "--data-fallback",
    "name=there",
  );
  expect(written).toMatchObject({
    id: message,
    transactionalId: id,
    subject: "Order",
    previewText: "On its way",
    fromEmail: "orders",
    lmx,
    replyToEmail: "help@example.com",
    languageCode: "en",
    dataVariablesFallbacks: { name: "there" },
  });
  const stale = await update("--expected-revision-id", first, "--subject", "Late");
  expect(stale).toEqual({ success: false, message: expect.stringContaining(written.contentRevisionId) });
  expect(await update("--force", "--subject", "Order {data.number}")).toMatchObject({ subject: "Order {data.number}" });
  const warned = await update("--lmx", '<Paragraph wobble="1">Hello</Paragraph>');
  expect(warned.warnings).toMatchObject([{ severity: "warning", path: expect.stringMatching(/^lmx:1:/) }]);
  expect(await loops("email-messages", "get", message)).toMatchObject({ id: message, subject: "Order {data.number}" });
  const wrong = await update("--lmx", "<Blink>");
  expect(wrong).toEqual({ success: false, message: expect.stringContaining("lmx:1:1") });

  expect(await loops("transactional", "publish", id)).toMatchObject({
    publishedEmailMessageId: message,
    draftEmailMessageId: null,
    dataVariables: ["number"],
  });
  expect(await loops("transactional", "draft", id)).toMatchObject({ publishedEmailMessageId: message });
  expect(await loops("transactional", "update", id, "--name", "Sent")).toMatchObject({ id, name: "Sent" });
  expect(await loops("transactional", "get", id)).toMatchObject({ id, name: "Sent", transactionalGroupId: group.id });
  const all = await loops("transactional", "list", "--per-page", "10");
  expect(all.map(({ name }: { name: string }) => name)).toContain("Sent");
  expect(await loops("transactional", "publish", "tpl_none")).toEqual({
    success: false,
    message: expect.stringContaining('no transactional email with the id "tpl_none"'),
  });

  const { draftEmailMessageId: empty } = await loops("transactional", "create", "--name", "Empty");
  const { errors } = await loops("email-messages", "guardian", empty);
  expect(errors.length).toBeGreaterThan(0);
  for (const { rule, title, items } of errors) {
    expect([rule, title, items[0].label].every((text) => typeof text === "string" && text !== "")).toBe(true);
  }
  expect((await loops("email-messages", "guardian", message)).errors).toEqual([]);

  const preview = ["email-messages", "preview", message, "--email", "ada@example.com"];
  expect(await loops(...preview, "--var", "number=7")).toEqual({ id: expect.any(String) });
  expect(await loops(...preview)).toEqual({ success: false, message: expect.stringContaining("number") });
});

it("creates, lists and changes themes", async () => {
  const { key } = await createTeam(mailspan, "cli-themes");
  const loops = clientOf(key);
  const file = join(folder, "styles.json");
  const styles = { ...defaultTheme, textLinkColor: "#4f46e5", bodyXPadding: 32 };
  await writeFile(file, JSON.stringify(styles));
  const created = await loops("themes", "create", "--name", "Brand", "--styles-file", file);
  expect(created).toMatchObject({ name: "Brand", isDefault: false, styles });
  await writeFile(file, JSON.stringify({ ...created.styles, textLinkColor: "#112233" }));
  const changed = await loops("themes", "update", created.id, "--styles-file", file);
  expect(changed).toMatchObject({ id: created.id, styles: { ...styles, textLinkColor: "#112233" } });
  const renamed = await loops("themes", "update", created.id, "--name", "House");
  expect(await loops("themes", "get", created.id)).toEqual(renamed);
  for (let n = 0; n < 10; n++) await loops("themes", "create", "--name", `Theme ${n}`);
  const all = (await loops("themes", "list", "--per-page", "10")) as { name: string; isDefault: boolean }[];
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["House", "Theme 0", "Theme 9"]));
  expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  // A file without some styles: the client writes "" and 0 for them.
  await writeFile(file, JSON.stringify({ bodyColor: "#ffffff" }));
  expect(await loops("themes", "create", "--name", "Half", "--styles-file", file)).toEqual({
    success: false,
    message: expect.stringContaining("styles.backgroundColor"),
  });
  expect(await loops("themes", "get", "thm_none")).toMatchObject({ success: false });
});

it("creates, lists and changes components", async () => {
  const { key } = await createTeam(mailspan, "cli-components");
  const loops = clientOf(key);
  const lmx = "<Paragraph>Acme, 1 Main Street</Paragraph>";
  const created = await loops("components", "create", "--name", "Footer", "--lmx", lmx);
  expect(created).toEqual({ id: created.id, name: "Footer", lmx });
  const changed = await loops("components", "update", created.id, "--lmx", "<H2>Acme</H2>");
  expect(changed).toEqual({ ...created, lmx: "<H2>Acme</H2>", affectedEmailCount: 0 });
  expect(await loops("components", "update", created.id, "--name", "Foot")).toMatchObject({ name: "Foot" });
  expect(await loops("components", "get", created.id)).toMatchObject({ id: created.id, name: "Foot" });
  expect(await loops("components", "list")).toEqual([{ id: created.id, name: "Foot", lmx: "<H2>Acme</H2>" }]);
  expect(await loops("components", "create", "--name", "Bad", "--lmx", "<Blink>")).toEqual({
    success: false,
    message: expect.stringContaining("lmx:1:1"),
  });
});

it.each(["campaign-groups", "transactional-groups"])("creates, lists and changes %s", async (noun) => {
  const { key } = await createTeam(mailspan, `cli-${noun}`);
  const loops = clientOf(key);
  const created = await loops(noun, "create", "--name", "News");
  expect(created).toMatchObject({ name: "News", description: "", createdAt: expect.any(String) });
  const changed = await loops(noun, "update", created.id, "--description", "Monthly");
  expect(changed).toMatchObject({ id: created.id, name: "News", description: "Monthly" });
  expect(await loops(noun, "get", created.id)).toEqual(changed);
  const list = (await loops(noun, "list")) as unknown[];
  expect(list[0]).toEqual(changed);
  // Every team has a first group of campaigns.
  expect(list).toHaveLength(noun === "campaign-groups" ? 2 : 1);
  expect(await loops(noun, "update", "grp_none", "--name", "x")).toMatchObject({ success: false });
});

it("uploads a picture", async () => {
  const { key } = await createTeam(mailspan, "cli-uploads");
  const loops = clientOf(key);
  const path = join(folder, "pixel.png");
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await writeFile(path, Buffer.from(png, "base64"));
  const { draftEmailMessageId } = await loops("transactional", "create", "--name", "Mail");
  const uploaded = await loops("uploads", "create", path, "--email-message-id", draftEmailMessageId);
  expect(uploaded).toEqual({ emailAssetId: expect.any(String), finalUrl: expect.stringMatching(/^http/) });
  const shown = await fetch(uploaded.finalUrl);
  expect(Buffer.from(await shown.arrayBuffer()).toString("base64")).toBe(png);
});
