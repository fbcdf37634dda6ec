import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EMAIL_ONLY, SHARED } from "../../../scripts/start/email-vars.ts";
import { senders } from "../../../src/email/delivery/senders/sender-list.ts";

const ROOT = join(import.meta.dirname, "../../..");
const settingsOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), "utf8").matchAll(/^ {2}([A-Z][A-Z0-9_]+)\??: (string|readonly)/gm)].map(
    ([, name = ""]) => name,
  );

describe("npm start", () => {
  it("gives the email service each setting that it reads, and the bridge none of them", () => {
    const settings = settingsOf("src/email/env.ts").filter((name) => !SHARED.includes(name));
    expect(settings).toContain("RESEND_WEBHOOK_SECRET");
    const ofSenders = senders.flatMap(({ variables }) => Object.keys(variables));
    expect(ofSenders).toEqual(expect.arrayContaining(["INBOX", "SMTP_URL", "SES_REGION"]));
    expect([...EMAIL_ONLY].sort()).toEqual([...settings, ...ofSenders].sort());
  });

  it("keeps no setting of the bridge from it, but PUBLIC_URL, of which each Worker gets its own", () => {
    const bridge = settingsOf("src/env.ts");
    expect(bridge).toContain("ADMIN_TOKEN");
    expect(settingsOf("src/email/env.ts")).toEqual(expect.arrayContaining([...SHARED]));
    expect(EMAIL_ONLY.filter((name) => bridge.includes(name))).toEqual(["PUBLIC_URL"]);
  });
});
