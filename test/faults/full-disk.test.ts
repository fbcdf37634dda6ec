import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mailspan, startMailspan, until } from "../system/mailspan.ts";
import { stripeWebhook } from "../system/signed.ts";

const MB = 1_000_000;
const CONTACTS = 20;

const mounted = (): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "mailspan-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmdirSync(folder);
    return undefined;
  }
};
const disk = mounted();
if (disk === undefined) console.log("The test of a full disk is left out: mounting a tmpfs needs root.");

describe.skipIf(disk === undefined)("a disk of 40 MB that is full", () => {
  let mailspan: Mailspan;
  const ballast = join(disk ?? "", "ballast");

  beforeAll(async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = disk;
    mailspan = await startMailspan();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  afterAll(async () => {
    await mailspan?.stop();
    execFileSync("umount", ["-l", disk ?? ""]);
    rmdirSync(disk ?? "");
  });

  const fill = () => {
    const file = openSync(ballast, "w");
    try {
      for (const size of [MB, 4_096]) {
        const piece = Buffer.alloc(size, 1);
        try {
          for (;;) if (writeSync(file, piece) < size) break;
        } catch {
          // The rest is filled by smaller pieces.
        }
      }
    } finally {
      closeSync(file);
    }
  };
  /** The bridge uses the same rate limit. */
  const call = async (method: string, path: string, body?: object): ReturnType<typeof once> => {
    const answer = await once(method, path, body);
    return answer.status === 429 ? call(method, path, body) : answer;
  };
  const once = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${mailspan.emailUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${mailspan.key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json().catch(() => ({}))) as { code?: string; length?: number };
    await new Promise((resolve) => setTimeout(resolve, 110));
    return { status: response.status, code: json.code, json };
  };

  const send = (email: string) =>
    call("POST", "/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } });
  const find = (n: number) => call("GET", `/contacts/find?email=p${n}%40example.com`);
  const hook = async () => {
    const { payload, headers } = stripeWebhook("invoice.paid");
    return { payload, headers, status: (await mailspan.post("stripe", payload, headers)).status };
  };
  const mailsTo = async () => (await mailspan.inbox()).mails.map(({ to }) => to).filter((to) => to.startsWith("x"));

  it("answers reads, refuses writes with a code, says so in its health, and loses nothing that it accepted", async () => {
    for (let n = 0; n < CONTACTS; n++) await call("POST", "/contacts/create", { email: `p${n}@example.com` });
    const accepted: string[] = [];
    const sendTo = async (email: string) => {
      const { status, code } = await send(email);
      if (status === 200) accepted.push(email);
      else expect([status, code]).toEqual([507, "storage_full"]);
    };
    for (let n = 0; n < 5; n++) await sendTo(`x${n}@example.com`);
    fill();
    const hooks = [];
    for (let n = 5; n < 15; n++) {
      await sendTo(`x${n}@example.com`);
      expect([(await find(n)).status, (await find(n + 5)).status]).toEqual([200, 200]);
      hooks.push(await hook());
    }
    const gone: number[] = [];
    for (let n = 0; n < 5; n++) {
      const { status, code } = await call("POST", "/contacts/delete", { email: `p${n}@example.com` });
      if (status === 200) gone.push(n);
      else expect([status, code]).toEqual([507, "storage_full"]);
    }
    for (const { status } of hooks) expect([202, 503]).toContain(status);
    // Accepted before the disk was full, or after it: both are to be seen below.
    expect(accepted.length).toBeLessThan(15);
    const health = await (await fetch(`${mailspan.emailUrl}/health`)).text();
    expect(health).toMatch(/writes fail/);

    rmSync(ballast);
    await sendTo("x15@example.com");
    expect(accepted).toContain("x15@example.com");
    await until(
      "every mail sent",
      async () => ((await mailsTo()).length >= accepted.length ? true : undefined),
      60_000,
    );
    expect((await mailsTo()).sort()).toEqual([...accepted].sort());
    for (let n = 0; n < CONTACTS; n++) expect([n, (await find(n)).json.length]).toEqual([n, gone.includes(n) ? 0 : 1]);
    for (const { payload, headers } of hooks) {
      // The provider sends it again; one that was accepted is known.
      const again = await mailspan.post("stripe", payload, headers);
      const { id } = (await again.json()) as { id: string };
      const { deliveries } = await mailspan.settled(id, 60_000);
      expect(deliveries.length).toBeGreaterThan(0);
    }
    expect((await call("POST", "/contacts/delete", { email: "p9@example.com" })).status).toBe(200);
  });
});
