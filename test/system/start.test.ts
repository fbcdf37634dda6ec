import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloneRepository, freePort, npmStart, type Running } from "./clone.ts";

let clone: Awaited<ReturnType<typeof cloneRepository>>;
let running: Running | undefined;

beforeAll(async () => {
  clone = await cloneRepository();
});
afterAll(async () => {
  await running?.kill("SIGKILL").catch(() => {});
  await clone.remove();
});

it("npm start in a fresh clone shows three webhooks with their contact, event and mail, keeps running, and ends whole on Ctrl-C", async () => {
  const [port, emailPort] = [await freePort(), await freePort()];
  running = await npmStart(clone.path, { PORT: String(port), EMAIL_PORT: String(emailPort) }, [], "Ctrl-C");
  const output = running.output();
  for (const webhook of ["stripe checkout.session.completed", "clerk user.created", "supabase send-email"]) {
    const row = output.split("\n").find((line) => line.startsWith(webhook)) ?? "";
    expect(row).toMatch(/con_\w+ +evt_\w+ +snd_\w+$/);
  }
  expect(output).toContain(`http://127.0.0.1:${emailPort}/inbox`);
  const inbox = await (await fetch(`http://127.0.0.1:${emailPort}/inbox.json`)).json();
  expect(inbox).toMatchObject({ total: 3 });
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({ status: "ok" });
  const health = await (await fetch(`http://127.0.0.1:${emailPort}/health`)).text();
  expect(health).toContain("degraded: no mail leaves");
  const secrets = Object.entries(clone.vars()).filter(([name, value]) => name !== "INBOX" && value.length > 1);
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  for (const [name, value] of secrets) expect(output.includes(value), `${name} is printed`).toBe(false);

  // A second start from the same folder is refused, whatever its ports: the state cannot be shared.
  const others = { PORT: String(await freePort()), EMAIL_PORT: String(await freePort()) };
  await expect(npmStart(clone.path, others, [], "Ctrl-C")).rejects.toThrow("already runs from this folder");
  await expect(npmStart(clone.path, { PORT: "3000", EMAIL_PORT: "3000" }, [], "Ctrl-C")).rejects.toThrow("two ports");
  const before = clone.vars();
  await running.kill("SIGINT");
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  // A port that somebody else has is named; the next start keeps state and secrets.
  const taken = createServer().listen(port, "127.0.0.1");
  await once(taken, "listening");
  await expect(npmStart(clone.path, { PORT: String(port) }, [], "Ctrl-C")).rejects.toThrow(`Port ${port} is in use`);
  taken.close();
  running = await npmStart(
    clone.path,
    { PORT: String(port), EMAIL_PORT: String(emailPort) },
    ["--no-samples"],
    "Ctrl-C",
  );
  expect(clone.vars()).toEqual(before);
  expect(running.output()).not.toContain("Seeded");
  expect(await (await fetch(`http://127.0.0.1:${emailPort}/inbox.json`)).json()).toMatchObject({ total: 3 });
});
