import { execFileSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { signedSample } from "../../../../scripts/samples/samples.ts";
import { freePort } from "../../../port.ts";
import { type Clone, cloneRepository, npmStart } from "../../../system/clone.ts";
import { launchBrowser } from "../../browser.ts";
import { watch } from "../watch.ts";

export type Tour = {
  page: Page;
  terminal: string;
  link: string;
  clone: Clone;
  api: { url: string; key: string };
  buy(): Promise<void>;
  run(line: string): string;
};

/** Starts `npm start` in a copy of the folder, and a browser. */
export const startTour = async () => {
  const free = async () => String(await freePort());
  const ports = { PORT: await free(), EMAIL_PORT: await free(), DASHBOARD_PORT: await free() };
  const [clone, browser]: [Clone, Browser] = await Promise.all([cloneRepository(), launchBrowser()]);
  const running = await npmStart(clone.path, ports, [], "Ctrl-C");
  const api = { url: `http://127.0.0.1:${ports.EMAIL_PORT}`, key: clone.vars().EMAIL_API_KEY ?? "" };
  const buy = async (): Promise<void> => {
    const secret = clone.vars().STRIPE_WEBHOOK_SECRET ?? "";
    const sample = await signedSample("stripe", "checkout.session.completed", { secret, now: Date.now() });
    const url = `http://127.0.0.1:${ports.PORT}/hooks/stripe`;
    expect((await fetch(url, { method: "POST", headers: sample.headers, body: sample.raw })).status).toBe(202);
  };
  const run = (line: string): string =>
    execFileSync("sh", ["-c", line], { cwd: clone.path, env: { ...process.env, ...ports }, encoding: "utf8" });
  const [link = ""] = /http:\/\/127\.0\.0\.1:\d+\/#code=\S+/.exec(running.output()) ?? [];
  // One login for all journeys: the link works once.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  return {
    journey: async (go: (tour: Tour) => Promise<void>): Promise<void> => {
      const page = await context.newPage();
      const complaints: string[] = [];
      await watch(page, `http://127.0.0.1:${ports.DASHBOARD_PORT}`, (what) => complaints.push(what));
      page.setDefaultTimeout(20_000);
      await go({ page, terminal: running.output(), link, clone, api, buy, run });
      await page.close();
      expect(complaints).toEqual([]);
    },
    stop: async () => {
      await browser.close();
      await running.kill("SIGINT").catch(() => {});
      await clone.remove();
    },
  };
};
