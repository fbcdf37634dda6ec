import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopsClient } from "loops";
import { expect, it } from "vitest";
import { signedSample } from "../../scripts/samples/samples.ts";
import { seedTeam } from "../../scripts/start/seed.ts";
import { startWorkers } from "../../scripts/workers.ts";
import { stateVars } from "../fixtures/state-vars.ts";
import { isSettled, loadOnce, type Shown, until } from "./mailspan.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures");
const versions = (await readdir(fixtures)).filter((name) => /^state-v\d+$/.test(name));

it.each(versions)("%s opens, migrates, and goes on where it was left", async (name) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-state-"));
  await cp(join(fixtures, name), state, { recursive: true });
  const { bridge, email, secret } = stateVars;
  let key = "";
  const bridgeVars = async (emailUrl: string) => {
    key = await seedTeam(emailUrl, email.ADMIN_TOKEN, "");
    return { ...bridge, EMAIL_API_KEY: key };
  };
  const workers = await startWorkers({ port: 0, emailPort: 0, state, load: loadOnce, bridgeVars, emailVars: email });
  try {
    const headers = { Authorization: `Bearer ${bridge.ADMIN_TOKEN}` };
    const read = async <T>(path: string) => (await (await fetch(workers.url + path, { headers })).json()) as T;
    const send = async (type: string, set: Record<string, unknown>) => {
      const sample = await signedSample("stripe", type, { secret, now: Date.now(), set });
      const response = await fetch(`${workers.url}/hooks/stripe`, {
        method: "POST",
        headers: sample.headers,
        body: sample.raw,
      });
      return (await response.json()) as { id: string; duplicate: boolean };
    };

    const { data } = await read<{ data: Shown[] }>("/admin/webhooks");
    expect(data.map(({ eventId, calls }) => [eventId, calls.map(({ state: is }) => is)])).toEqual([
      ["evt_state_waiting", [expect.stringMatching(/^(waiting|parked)$/)]],
      ["evt_state_checkout", ["done", "done", "done"]],
      ["evt_state_customer", ["done"]],
    ]);
    expect(await send("checkout.session.completed", { id: "evt_state_checkout" })).toMatchObject({ duplicate: true });
    const inbox = (await (await fetch(`${workers.emailUrl}/inbox.json`)).json()) as { mails: { to: string }[] };
    expect(inbox.mails.filter(({ to }) => to === "state@example.com")).toHaveLength(1);
    const admin = { Authorization: `Bearer ${email.ADMIN_TOKEN}` };
    const teams = await (await fetch(`${workers.emailUrl}/admin/teams`, { headers: admin })).json();
    expect(teams).toMatchObject({ data: [{ id: "demo", name: "Demo" }] });
    const { id } = await send("customer.subscription.updated", {
      "data.object.customer": "cus_state",
      "data.object.status": "past_due",
    });
    await until("the update", async () => (isSettled(await read<Shown>(`/admin/webhooks/${id}`)) ? true : undefined));
    const client = new LoopsClient(key);
    client.apiRoot = `${workers.emailUrl}/`;
    expect(await client.findContact({ email: "state@example.com" })).toMatchObject([
      { stripeCustomerId: "cus_state", lastPurchaseAmount: expect.any(Number), subscriptionStatus: "past_due" },
    ]);
  } finally {
    await workers.stop();
    await rm(state, { recursive: true });
  }
});
