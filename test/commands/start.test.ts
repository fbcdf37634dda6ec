import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureDevVars, setDevVar } from "../../scripts/dev-vars.ts";
import { teamServiceOf } from "../../scripts/lib/team-service.ts";
import { signedSample } from "../../scripts/samples/samples.ts";
import type { Story } from "../../scripts/workflow/answers.ts";
import { findWorkflow } from "../../scripts/workflow/find.ts";
import { freePort } from "../port.ts";
import { type Clone, cloneRepository, npmStart, type Running } from "../system/clone.ts";
import { isSettled, type Shown, until } from "../system/mailspan.ts";

let clone: Clone;
let running: Running | undefined;
const alerts: string[] = [];
const alertServer = createHttpServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  alerts.push(text);
  response.end();
});

beforeAll(async () => {
  clone = await cloneRepository();
  const devVars = join(clone.path, ".dev.vars");
  ensureDevVars(devVars);
  await once(alertServer.listen(0, "127.0.0.1"), "listening");
  setDevVar("ALERT_WEBHOOK_URL", `http://127.0.0.1:${(alertServer.address() as AddressInfo).port}`, devVars);
  setDevVar("ALERT_WEBHOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", devVars);
});
afterAll(async () => {
  await running?.kill("SIGKILL").catch(() => {});
  alertServer.close();
  await clone.remove();
});

const postWithoutPause = (url: string): (() => Promise<string[]>) => {
  const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
  const accepted: string[] = [];
  let ended = false;
  const posting = (async () => {
    for (let n = 0; !ended; n++) {
      const set = {
        "data.object.customer_details.email": `early-${n}@example.com`,
        "data.object.customer": `cus_${n}`,
      };
      const sample = await signedSample("stripe", "checkout.session.completed", { secret, now: Date.now(), set });
      const request = { method: "POST", headers: sample.headers, body: sample.raw };
      const response = await fetch(`${url}/hooks/stripe`, request).catch(() => undefined);
      if (response?.ok) accepted.push(((await response.json()) as { id: string }).id);
      await new Promise((resolve) => setTimeout(resolve, response?.ok ? 500 : 20));
    }
  })();
  return async () => {
    ended = true;
    await posting;
    return accepted;
  };
};

const expectDelivered = async (url: string, ids: readonly string[]) => {
  const headers = { Authorization: `Bearer ${clone.vars().ADMIN_TOKEN}` };
  const read = async <T>(path: string) => (await (await fetch(url + path, { headers })).json()) as T;
  expect(ids).not.toEqual([]);
  for (const id of ids) {
    const { deliveries } = await until(`deliveries of ${id}`, async () => {
      const webhook = await read<Shown>(`/admin/webhooks/${id}`);
      return isSettled(webhook) ? webhook : undefined;
    });
    expect(deliveries.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  }
  expect(await read("/admin/status")).toMatchObject({ dispatch: "running", interruption: null });
  expect(alerts).toEqual([]);
};

const expectTrial = async (ports: { PORT: string; EMAIL_PORT: string }) => {
  const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
  const { headers, raw } = await signedSample("stripe", "customer.subscription.created", { secret, now: Date.now() });
  const response = await fetch(`http://127.0.0.1:${ports.PORT}/hooks/stripe`, { method: "POST", headers, body: raw });
  expect(response.status).toBe(202);
  const service = teamServiceOf("workflows", {}, { ...clone.vars(), ...ports });
  const { id } = await findWorkflow(service.admin, "trial");
  const lines = await until("a run of the workflow", async () => {
    const story = await service.admin<Story>("GET", `/${id}/contacts/${encodeURIComponent("ada@example.com")}`);
    return story.runs[0]?.lines.map(({ text }) => text);
  });
  expect(lines.slice(0, 2)).toEqual(["Entered the workflow.", "Started to wait at the timer of 9 seconds."]);
};

it("npm start in a fresh clone shows three webhooks with their contact, event and mail, keeps running, and ends whole on Ctrl-C", async () => {
  const [port, emailPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const ports = { PORT: String(port), EMAIL_PORT: String(emailPort) };
  const endPosting = postWithoutPause(url);
  running = await npmStart(clone.path, ports, [], "Ctrl-C");
  const accepted = await endPosting();
  const output = running.output();
  for (const webhook of ["stripe checkout.session.completed", "clerk user.created", "supabase send-email"]) {
    const row = output.split("\n").find((line) => line.startsWith(webhook)) ?? "";
    expect(row).toMatch(/con_\w+ +evt_\w+ +snd_\w+$/);
  }
  expect(output).toContain(`http://127.0.0.1:${emailPort}/inbox`);
  expect(output).toContain(
    `Campaign  New this month: Draft   npm run campaign -- send "New this month" --url http://127.0.0.1:${emailPort}`,
  );
  await expectDelivered(url, accepted);
  const inbox = async () =>
    (await (await fetch(`http://127.0.0.1:${emailPort}/inbox.json`)).json()) as {
      mails: { to: string }[];
      total: number;
    };
  // A delivery is done before its mail is handed over. A start may cut off the answer to an accepted webhook.
  await until("every mail", async () => ((await inbox()).total >= 3 + accepted.length ? true : undefined));
  const early = (await inbox()).mails.flatMap(({ to }) => (to.startsWith("early-") ? [to] : []));
  expect(early).toHaveLength(new Set(early).size);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: "ok" });
  const health = await (await fetch(`http://127.0.0.1:${emailPort}/health`)).text();
  expect(health).toContain("degraded: no mail leaves");
  expect(health).not.toContain("PUBLIC_URL");
  const secrets = Object.entries(clone.vars()).filter(
    ([name, value]) => !["INBOX", "ALERT_WEBHOOK_URL"].includes(name) && value.length > 1,
  );
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  for (const [name, value] of secrets) expect(output.includes(value), `${name} is printed`).toBe(false);

  // The state has addresses and mail: no other user of the machine may read it.
  expect(statSync(join(clone.path, ".wrangler/state")).mode & 0o777).toBe(0o700);

  // A second start from the same folder is refused: the state cannot be shared.
  const others = { PORT: String(await freePort()), EMAIL_PORT: String(await freePort()) };
  await Promise.all([
    expect(npmStart(clone.path, others, [], "Ctrl-C")).rejects.toThrow("already runs from this folder"),
    expect(npmStart(clone.path, { PORT: "3000", EMAIL_PORT: "3000" }, [], "Ctrl-C")).rejects.toThrow("two ports"),
  ]);
  const before = clone.vars();
  const { total } = await inbox();
  await running.kill("SIGINT");
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  const taken = createServer().listen(port, "127.0.0.1");
  await once(taken, "listening");
  await expect(npmStart(clone.path, ports, [], "Ctrl-C")).rejects.toThrow(`Port ${port} is in use`);
  taken.close();
  running = await npmStart(clone.path, ports, ["--no-samples", "--fast"], "Ctrl-C");
  expect(clone.vars()).toEqual(before);
  expect(running.output()).not.toContain("Seeded");
  expect(await inbox()).toMatchObject({ total });

  expect(running.output()).toContain("Workflow  Trial: Sending, a day takes 3 seconds");
  await expectTrial(ports);

  await running.kill("SIGINT");
  rmSync(join(clone.path, ".wrangler"), { recursive: true });
  const endPostingAgain = postWithoutPause(url);
  running = await npmStart(clone.path, ports, ["--no-samples"], "Ctrl-C");
  await until("an accepted webhook", async () => ((await fetch(`${url}/health`)).ok ? true : undefined));
  await expectDelivered(url, await endPostingAgain());
  expect(running.output()).toContain("Seeded");
});
