import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askEnvironment } from "../../../../scripts/deploy/ask.ts";
import { varsOf } from "../../../../scripts/deploy/config.ts";
import { nextSteps, writeDeployment } from "../../../../scripts/deploy/write-out.ts";
import { deploymentIn } from "../../../../scripts/start/from.ts";
import { workers } from "./world.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mailspan-out-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const TOKEN = "an-admin-token-of-the-test";
const SMTP_URL = "smtps://user:secret-password@smtp.example.com:465";

const write = async (answers: Record<string, string>, folder = join(home, "trial"), hasBridge = true) => {
  const printed: string[] = [];
  const io = { print: (text: string) => void printed.push(text), ask: askEnvironment(answers) };
  const written = await writeDeployment(io, workers, { folder, unattended: true, hasBridge });
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  return { written, read, folder, output: printed.join("\n") };
};

describe("the configuration of a dry run", () => {
  test("has the variables and secrets that the answers make, readable by this user only", async () => {
    const STRIPE_WEBHOOK_SECRET = "whsec_a_secret_of_stripe";
    const answers = { ADMIN_TOKEN: TOKEN, TRANSACTIONAL_SENDER: "smtp", SMTP_URL, STRIPE_WEBHOOK_SECRET };
    const { read, folder, output, written } = await write(answers);
    expect(read("email.json").vars).toEqual({ PLAN: "paid", TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp" });
    expect(read("email.json").main).toBe(join(import.meta.dirname, "../../../../src/email/index.ts"));
    expect(read("bridge.json").vars).toEqual(varsOf(workers.bridge));
    expect(read("email.secrets.json")).toEqual({
      ADMIN_TOKEN: TOKEN,
      SMTP_URL,
      API_KEY_SECRET: expect.stringMatching(/^\w{64}$/),
      DKIM_KEY_SECRET: expect.stringMatching(/^\w{64}$/),
    });
    expect(read("bridge.secrets.json")).toEqual({ ADMIN_TOKEN: TOKEN, STRIPE_WEBHOOK_SECRET });
    expect(read("dashboard.secrets.json")).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(read("dashboard.json").assets.directory).toBe(join(import.meta.dirname, "../../../../dist/dashboard"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of [
      "email.json",
      "bridge.json",
      "email.secrets.json",
      "bridge.secrets.json",
      "dashboard.secrets.json",
    ])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(output).not.toContain("secret-password");
    expect(written.map(({ path }) => path)).toEqual(
      ["email.json", "bridge.json", "dashboard.json"].map((file) => join(folder, file)),
    );
  });

  test("of the email service alone has no file of the bridge, and a dashboard that is bound to the email Worker only", async () => {
    const { read, folder, output } = await write({ ADMIN_TOKEN: TOKEN }, undefined, false);
    expect(readdirSync(folder).toSorted()).toEqual([
      "dashboard.json",
      "dashboard.secrets.json",
      "email.json",
      "email.secrets.json",
    ]);
    expect(read("dashboard.json").services).toEqual([{ binding: "EMAIL", service: "mailspan-email" }]);
    expect(read("dashboard.secrets.json")).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(output).not.toContain("Webhook secrets");
    expect(nextSteps(folder, false)).not.toContain("npm start");
    expect(nextSteps(folder, true)).toContain(`npm start -- --from ${folder}`);
  });

  test("has the binding of Cloudflare Email Service, if that is the sender", async () => {
    const { read } = await write({ ADMIN_TOKEN: TOKEN, TRANSACTIONAL_SENDER: "cloudflare" });
    expect(read("email.json").send_email).toEqual([{ name: "EMAIL" }]);
    expect(read("email.json").queues).toMatchObject({ producers: [{ binding: "EMAIL_EVENTS" }] });
    expect(read("email.json").vars).toEqual({ PLAN: "paid", TRANSACTIONAL_SENDER: "cloudflare" });
  });

  test("is not written over another, and not after a wrong answer", async () => {
    await write({ ADMIN_TOKEN: TOKEN });
    await expect(write({ ADMIN_TOKEN: TOKEN })).rejects.toThrow("exists. Name a folder that does not exist.");
    const folder = join(home, "other");
    await expect(write({ ADMIN_TOKEN: TOKEN, TRANSACTIONAL_SENDER: "smpt" }, folder)).rejects.toThrow();
    await expect(write({}, folder)).rejects.toThrow(/ADMIN_TOKEN/);
    expect(() => statSync(folder)).toThrow();
  });
});

describe("npm start -- --from", () => {
  test("gives each Worker its own secrets, and the email Worker its address", async () => {
    const { folder } = await write({ ADMIN_TOKEN: TOKEN, TRANSACTIONAL_SENDER: "smtp", SMTP_URL });
    expect(deploymentIn(folder, "http://127.0.0.1:8788")).toEqual({
      configs: {
        bridge: join(folder, "bridge.json"),
        email: join(folder, "email.json"),
        dashboard: join(folder, "dashboard.json"),
      },
      dashboardVars: { ADMIN_TOKEN: TOKEN },
      state: join(folder, "state"),
      bridgeVars: { ADMIN_TOKEN: TOKEN },
      emailVars: expect.objectContaining({ ADMIN_TOKEN: TOKEN, SMTP_URL, PUBLIC_URL: "http://127.0.0.1:8788" }),
    });
  });

  test("names what is missing or cannot be read", async () => {
    const missing = join(home, "none");
    expect(() => deploymentIn(missing, "")).toThrow(`There is no ${missing}/bridge.json. Write it: npm run deploy`);
    const { folder } = await write({ ADMIN_TOKEN: TOKEN });
    writeFileSync(join(folder, "bridge.secrets.json"), "{ EMAIL_API_KEY");
    expect(() => deploymentIn(folder, "")).toThrow(/bridge\.secrets\.json cannot be read as JSON/);
  });
});
