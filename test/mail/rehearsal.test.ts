import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { preparePage } from "../../scripts/dashboard/page.ts";
import { isValidDkim } from "../dkim.ts";
import { startResolver, type Zone } from "../dns/stand-in.ts";
import { freePort } from "../port.ts";
import { until } from "../system/mailspan.ts";
import { installTools, PYTHON } from "./debian.ts";
import { startPostfix } from "./postfix.ts";

// From the configuration of a dry run to a signed mail in Postfix, by the commands in docs/sending-domains.md. Only
// ports, recipient and folder are replaced.

const root = join(import.meta.dirname, "../..");
const DOMAIN = "mail.example.com";
const PERSON = "ada@postfix.test";
const TEMPLATE = { name: "Rehearsal", lmx: "<Paragraph>Grüße, {data.name}</Paragraph>" };

const commandsOf = (heading: string): string[][] => {
  const page = readFileSync(join(root, "docs/sending-domains.md"), "utf8");
  const [, section = ""] = page.split(`\n### ${heading}\n`);
  const text = section.split(/^##/m)[0] ?? "";
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .trimEnd()
      .split("\n"),
  );
};

let postfix: Awaited<ReturnType<typeof startPostfix>>;
let dns: Awaited<ReturnType<typeof startResolver>>;
let started: ChildProcess | undefined;
const home = mkdtempSync(join(tmpdir(), "mailspan-rehearsal-"));
const trial = join(home, "trial");
const env: Record<string, string> = {
  ADMIN_TOKEN: "rehearsal-admin-token-of-the-test",
  STRIPE_WEBHOOK_SECRET: "whsec_rehearsal_stripe",
  TRANSACTIONAL_SENDER: "smtp",
};
beforeAll(async () => {
  await preparePage();
  postfix = await startPostfix();
  dns = await startResolver();
  env.PORT = String(await freePort());
  env.EMAIL_PORT = String(await freePort());
  env.SMTP_URL = `smtp://127.0.0.1:${postfix.ports.starttls}`;
});
afterAll(async () => {
  await stop();
  await dns?.stop();
  postfix?.stop();
  rmSync(home, { recursive: true, force: true });
});

const here = (command: string): string =>
  command
    .replaceAll("127.0.0.1:8788", `127.0.0.1:${env.EMAIL_PORT}`)
    .replaceAll("ada@example.com", PERSON)
    .replaceAll(/(--out|--from) trial/g, `$1 ${trial}`);

const run = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    execFile("bash", ["-c", here(command)], options, (error, out, err) =>
      error ? reject(new Error(`${command}\n${out}${err}`)) : resolve(out),
    );
  });

const start = async (command: string): Promise<void> => {
  // A separate process group, so that a signal reaches npm and its child.
  started = spawn("bash", ["-c", here(command)], {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: "ignore",
  });
  for (const port of [env.PORT, env.EMAIL_PORT])
    await until(
      `${command}: port ${port}`,
      async () => ((await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok ? true : undefined),
      60_000,
    );
};

const stop = async (): Promise<void> => {
  const child = started;
  if (child?.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGINT");
  await ended;
};

const edit = (file: string, change: (content: Record<string, unknown>) => object): void => {
  const path = join(trial, file);
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8"))), null, 2));
};

const zoneOf = (file: string): Zone => {
  const records = [...file.matchAll(/^(\S+)\. \d+ IN (TXT|MX) (.*)$/gm)].map(([, host, type, data = ""]) => ({
    at: `${type} ${host}`,
    value: type === "TXT" ? [...data.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("") : data.replace(/\.$/, ""),
  }));
  return Object.fromEntries(
    [...Map.groupBy(records, ({ at }) => at)].map(([at, same]) => [at, same.map(({ value }) => value)]),
  );
};

const api = async (path: string, body: object = {}): Promise<Record<string, string>> => {
  const response = await fetch(`http://127.0.0.1:${env.EMAIL_PORT}/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${env.EMAIL_API_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, string>;
  expect([path, response.status, answer.message]).toEqual([path, expect.any(Number), undefined]);
  return answer;
};

const arrived = async (id: string) => {
  const { path, raw } = await until(
    `the mail ${id}`,
    async () => postfix.mails().find((one) => one.raw.includes(id)),
    30_000,
  );
  const [, returnPath = ""] = /^Return-Path: <(.*)>$/m.exec(raw.toString("latin1")) ?? [];
  const [, ehlo = ""] = /^Received: from (\S+)/m.exec(raw.toString("latin1")) ?? [];
  const [, message = ""] = /^(DKIM-Signature:[\s\S]*)/m.exec(raw.toString("latin1").replace(/\r?\n/g, "\r\n")) ?? [];
  const field = (name: string) =>
    new RegExp(`^${name}: (.*)$`, "m").exec(message.replace(/\r\n[ \t]+/g, " "))?.[1]?.trim();
  return { path, message, returnPath, ehlo, field };
};

/** Both verifiers share no code with the signer. */
const expectSigned = (
  { message, returnPath, ehlo, field }: Awaited<ReturnType<typeof arrived>>,
  id: string,
  zone: Zone,
): void => {
  const [at = "", [key] = []] = Object.entries(zone).find(([name]) => name.includes("._domainkey.")) ?? [];
  expect(at).toMatch(new RegExp(`^TXT \\w+\\._domainkey\\.${DOMAIN}$`));
  expect(message.replace(/\r\n[ \t]+/g, " ")).toContain(`d=${DOMAIN};`);
  expect(isValidDkim(message, String(key).split("p=")[1] ?? "")).toBe(true);
  if (hasTools) {
    const folder = mkdtempSync(join(home, "read-"));
    writeFileSync(join(folder, "mail.eml"), message, "latin1");
    const read = JSON.parse(
      execFileSync(PYTHON, [join(import.meta.dirname, "read_mail.py"), folder, String(key)], { encoding: "utf8" }),
    );
    expect(read.mail).toMatchObject({ signed: true, defects: [] });
  }
  expect(field("Message-ID")).toBe(`<${id}@${DOMAIN}>`);
  expect(field("From")).toMatch(new RegExp(`@${DOMAIN}>?$`));
  expect(field("To")).toContain(PERSON);
  expect(ehlo).toBe(`envelope.${DOMAIN}`);
  expect(returnPath).toMatch(new RegExp(`^bounce\\+[\\w-]+@envelope\\.${DOMAIN}$`));
};

const hasTools = installTools();

// It bundles and starts all Workers, which takes a busy machine minutes.
vi.setConfig({ testTimeout: 600_000 });

it("the documented commands lead from a dry run to a signed mail in Postfix, and a webhook of Stripe to another", async () => {
  const [configure = [], operate = [], send = [], webhook = []] = commandsOf("Rehearse it");
  expect([configure, operate, send, webhook].map(({ length }) => length)).toEqual([2, 5, 4, 1]);

  const [dryRun = "", startFrom = ""] = configure;
  expect(await run(`${dryRun} --yes`)).toContain("nothing is deployed");
  edit("email.json", (config) => ({
    ...config,
    vars: { ...(config.vars as object), SPF_INCLUDE: "ip4:127.0.0.1", DNS_OVER_HTTPS_URL: dns.url },
  }));
  await start(startFrom);

  const [, team = "", key = "", add = "", zone = ""] = operate;
  expect(JSON.parse(await run(team))).toMatchObject({ success: true, id: "acme" });
  env.EMAIL_API_KEY = JSON.parse(await run(key)).key;
  expect(await run(add)).toContain(DOMAIN);
  const [, check = "", mail = "", why = ""] = send;
  await expect(run(check)).rejects.toThrow(/pending/);
  expect(JSON.parse(await run(mail))).toMatchObject({ code: "domain_not_verified" });

  const records = zoneOf(await run(zone));
  expect(
    Object.keys(records)
      .map((at) => at.split(" ")[0])
      .toSorted(),
  ).toEqual(["MX", "TXT", "TXT", "TXT"]);
  dns.serve(records);
  expect(await run(check)).toContain("verified");

  const { id: transactionalId, draftEmailMessageId } = await api("/transactional-emails", { name: TEMPLATE.name });
  await api(`/email-messages/${draftEmailMessageId}`, {
    subject: "Grüße",
    fromName: "Acme",
    fromEmail: "hello",
    lmx: TEMPLATE.lmx,
  });
  await api(`/transactional-emails/${transactionalId}/publish`);
  const own = await api("/transactional", { transactionalId, email: PERSON, dataVariables: { name: "Ada" } });
  expectSigned(await arrived(own.id ?? ""), own.id ?? "", records);

  const { id } = JSON.parse(await run(mail));
  expectSigned(await arrived(id), id, records);
  expect(await run(why)).toMatch(/Accepted by the mail provider/);

  await stop();
  edit("bridge.secrets.json", (secrets) => ({ ...secrets, EMAIL_API_KEY: env.EMAIL_API_KEY }));
  await start(startFrom);
  expect(await run(webhook[0] ?? "")).toContain("202 Accepted");
  const idOf = (raw: Buffer) => /^Message-ID: <(snd_\w+)@/m.exec(raw.toString("latin1"))?.[1] ?? "";
  const receipt = await until(
    "the mail of the webhook",
    async () => postfix.mails().find(({ raw }) => ![own.id, id].includes(idOf(raw))),
    30_000,
  );
  expectSigned(await arrived(idOf(receipt.raw)), idOf(receipt.raw), records);
  expect(postfix.mails()).toHaveLength(3);
});
