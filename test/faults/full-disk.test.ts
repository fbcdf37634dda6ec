import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepReserve } from "../../scripts/start/reserve.ts";
import { type Mailspan, startMailspan, until } from "../system/mailspan.ts";
import { type Signed, stripeWebhook, supabaseHook } from "../system/signed.ts";

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
  let stopReserve: () => void = () => {};
  const ballast = join(disk ?? "", "ballast");

  beforeAll(async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = disk;
    mailspan = await startMailspan();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  afterAll(async () => {
    stopReserve();
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
  const remove = (n: number) => call("POST", "/contacts/delete", { email: `p${n}@example.com` });
  const post = async ({ payload, headers }: Signed, source: string) => {
    const { status } = await mailspan.post(source, payload, headers);
    return { payload, headers, status };
  };
  const hook = () => post(stripeWebhook("invoice.paid"), "stripe");
  const mailsTo = async () => (await mailspan.inbox()).mails.map(({ to }) => to).filter((to) => to.startsWith("x"));
  const reserve = () => statSync(join(mailspan.state, "reserve")).size;
  const healthOf = async (url: string) => (await fetch(`${url}/health`)).text();
  const health = () => healthOf(mailspan.emailUrl);
  const says = (isFull: boolean) =>
    until(`health says ${isFull ? "so" : "that there is room"}`, async () => {
      const both = await Promise.all([healthOf(mailspan.url), healthOf(mailspan.emailUrl)]);
      return both.every((one) => one.includes("the disk is full") === isFull) ? true : undefined;
    });
  /** The provider sends a webhook again; one that was accepted is known. */
  const sendAgain = async ({ payload, headers }: Signed) => {
    const { id } = (await (await mailspan.post("stripe", payload, headers)).json()) as { id: string };
    expect((await mailspan.settled(id, 60_000)).deliveries.length).toBeGreaterThan(0);
  };

  const accepted: string[] = [];
  const sendTo = async (email: string) => {
    const { status, code } = await send(email);
    if (status === 200) accepted.push(email);
    else expect([status, code]).toEqual([507, "storage_full"]);
  };
  const allArrive = async () => {
    const arrived = async () => ((await mailsTo()).length >= accepted.length ? true : undefined);
    await until("every mail sent", arrived, 60_000);
    expect((await mailsTo()).sort()).toEqual([...accepted].sort());
  };
  const gone: number[] = [];

  it("deletes, unsubscribes and sends urgent mail from the reserve of npm start, and refuses what grows", async () => {
    for (let n = 0; n < CONTACTS; n++) await call("POST", "/contacts/create", { email: `p${n}@example.com` });
    for (let n = 0; n < 5; n++) await sendTo(`x${n}@example.com`);
    const log: string[] = [];
    stopReserve = keepReserve(mailspan.state, mailspan, (line) => log.push(line));
    expect(reserve()).toBeGreaterThan(8 * MB);
    fill();
    await says(true);
    expect(log.join()).toMatch(/^The disk of .* is full\./);

    for (let n = 0; n < 5; n++) {
      expect((await remove(n)).status).toBe(200);
      gone.push(n);
      const left = { email: `p${n + 5}@example.com`, subscribed: false };
      expect((await call("PUT", "/contacts/update", left)).status).toBe(200);
      expect((await find(n + 5)).json).toMatchObject([{ subscribed: false }]);
      const { status, code } = await call("POST", "/contacts/create", { email: `new${n}@example.com` });
      expect([status, code]).toEqual([507, "storage_full"]);
    }
    await sendTo("x5@example.com");
    expect(accepted).toContain("x5@example.com");
    await allArrive();
    const refused = await hook();
    expect(refused.status).toBe(503);
    const signIn = supabaseHook(({ user }) =>
      Object.assign(user, { id: crypto.randomUUID(), email: "xs@example.com" }),
    );
    expect((await post(signIn, "supabase")).status).toBe(200);
    accepted.push("xs@example.com");
    await allArrive();

    const { bavail, bsize } = statfsSync(disk ?? "");
    writeFileSync(`${ballast}2`, Buffer.alloc(bavail * bsize - 2.5 * MB, 1));
    await until("health names a low reserve", async () => (await health()).includes("rest of a reserve") || undefined);
    const late = await send("late@example.com");
    expect([late.status, late.code]).toEqual([507, "storage_full"]);
    expect((await call("PUT", "/contacts/update", { email: "p10@example.com", subscribed: false })).status).toBe(200);
    expect((await remove(19)).status).toBe(200);
    gone.push(19);

    for (const file of [ballast, `${ballast}2`]) rmSync(file);
    await says(false);
    expect(log.join("\n")).toMatch(/nearly used up.*\n.* has room again: everything is accepted\.$/);
    expect(reserve()).toBeGreaterThan(8 * MB);
    expect((await call("POST", "/contacts/create", { email: "new0@example.com" })).status).toBe(200);
    await sendAgain(refused);
  });

  it("answers reads, refuses writes with a code, says so in its health, and loses nothing that it accepted if the reserve is used up", async () => {
    fill();
    await says(true);
    // As another process would, it takes what the reserve gave back.
    fill();
    const hooks = [];
    for (let n = 6; n < 15; n++) {
      await sendTo(`x${n}@example.com`);
      expect([(await find(n)).status, (await find(n + 5)).status]).toEqual([200, 200]);
      hooks.push(await hook());
    }
    for (let n = 5; n < 10; n++) {
      const { status, code } = await remove(n);
      if (status === 200) gone.push(n);
      else expect([status, code]).toEqual([507, "storage_full"]);
    }
    for (const { status } of hooks) expect(status).toBe(503);
    // Accepted before the disk was full, or after it: both are to be seen below.
    expect(accepted.length).toBeLessThan(15);
    expect(await healthOf(mailspan.emailUrl)).toMatch(/writes fail/);

    rmSync(ballast);
    await says(false);
    await sendTo("x15@example.com");
    expect(accepted).toContain("x15@example.com");
    await allArrive();
    for (let n = 0; n < CONTACTS; n++) expect([n, (await find(n)).json.length]).toEqual([n, gone.includes(n) ? 0 : 1]);
    for (const one of hooks) await sendAgain(one);
    expect((await remove(10)).status).toBe(200);
  });
});
