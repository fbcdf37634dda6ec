import { afterAll, beforeAll, expect, it } from "vitest";
import { teamServiceOf } from "../../scripts/lib/team-service.ts";
import { signedSample } from "../../scripts/samples/samples.ts";
import type { Difference, Story } from "../../scripts/workflow/answers.ts";
import { readCurrent } from "../../scripts/workflow/file/current.ts";
import { findWorkflow } from "../../scripts/workflow/find.ts";
import { differenceText } from "../../scripts/workflow/text.ts";
import { freePort } from "../port.ts";
import { type Clone, cloneRepository, npmStart, type Running } from "../system/clone.ts";
import { until } from "../system/mailspan.ts";

let clone: Clone;
let running: Running | undefined;
beforeAll(async () => {
  clone = await cloneRepository();
});
afterAll(async () => {
  await running?.kill("SIGKILL").catch(() => {});
  await clone.remove();
});

it("npm start -- --fast has a sample workflow that the webhook of a trial enters, and both of its mails come", async () => {
  const [port, emailPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), EMAIL_PORT: String(emailPort) };
  running = await npmStart(clone.path, ports, ["--fast"], "Ctrl-C");
  expect(running.output()).toContain("Workflow  Trial: Sending, a day takes 3 seconds");
  const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
  const { headers, raw } = await signedSample("stripe", "customer.subscription.created", { secret, now: Date.now() });
  const response = await fetch(`http://127.0.0.1:${port}/hooks/stripe`, { method: "POST", headers, body: raw });
  expect(response.status).toBe(202);
  const service = teamServiceOf("workflows", {}, { ...clone.vars(), ...ports });
  const explain = async (contact: string) => {
    const { id } = await findWorkflow(service.admin, "trial");
    return await service.admin<Story>("GET", `/${id}/contacts/${encodeURIComponent(contact)}`);
  };
  const inbox = `http://127.0.0.1:${emailPort}/inbox.json`;
  const subjects = async () =>
    ((await (await fetch(inbox)).json()) as { mails: { to: string; subject: string }[] }).mails
      .filter(({ to }) => to === "ada@example.com")
      .map(({ subject }) => subject);
  const mails = await until(
    "the mails of the workflow",
    async () => {
      const all = await subjects();
      return all.includes("Half of your trial is left") ? all : undefined;
    },
    60_000,
  );
  expect(mails.slice(0, 2)).toEqual(["Half of your trial is left", "Three things to try on Pro"]);
  const explained = await explain("ada@example.com");
  expect(explained.runs.map(({ code }) => code)).toEqual(["completed"]);
  expect(explained.runs[0]?.lines.map(({ text }) => text)).toEqual([
    "Entered the workflow.",
    "Started to wait at the timer of 9 seconds.",
    "Reached the branch.",
    'Matched the filter ("plan" must be "Pro").',
    'Queued the mail "Three things to try on {event.plan}". In the local inbox only. It was not sent outside this machine.',
    "Started to wait at the timer of 12 seconds.",
    'Queued the mail "Half of your trial is left". In the local inbox only. It was not sent outside this machine.',
    "The contact went through the whole workflow.",
  ]);

  const timers = async () => {
    const { id } = await findWorkflow(service.admin, "trial");
    const { spec, revision } = await readCurrent(service.api(), id);
    const waits = Object.values(spec.graph.nodes).flatMap((node) =>
      node.typeName === "TimerAction" ? [`${node.amount} ${node.unit}`] : [],
    );
    return { waits, revision };
  };
  const fast = await timers();
  expect(fast.waits).toEqual(["0.15 m", "0.2 m"]);
  await running.kill("SIGINT");
  running = await npmStart(clone.path, ports, ["--no-samples"], "Ctrl-C");
  const usual = await timers();
  expect(usual.waits).toEqual(["3 d", "4 d"]);
  const { id } = await findWorkflow(service.admin, "trial");
  const difference = await service.admin<Difference>("GET", `/${id}/diff?from=${fast.revision}`);
  for (const text of [
    "The timer takes 3 days now, before 9 seconds.",
    "The timer takes 4 days now, before 12 seconds.",
    "0 contacts in the workflow. No contact waits on what changes.",
  ])
    expect(differenceText(difference)).toContain(text);
  await running.kill("SIGINT");
  running = await npmStart(clone.path, ports, ["--no-samples"], "Ctrl-C");
  expect(await timers()).toEqual(usual);
  expect(running.output()).toContain("Workflow  Trial: Sending ");
}, 180_000);
