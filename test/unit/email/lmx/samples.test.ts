import { describe, expect, it } from "vitest";
import { type Compiled, compile, compileLine } from "../../../../src/email/lmx/compile.ts";
import { fill, missing } from "../../../../src/email/lmx/fill.ts";
import { samples } from "../../../../src/email/workspace/content/samples/index.ts";
import { sampleValues as values } from "./documents.ts";

const compiled = (source: string): Compiled => {
  const result = compile(source, "transactional");
  if (result.compiled === undefined) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};

describe("the samples", () => {
  it.each([
    ["tpl_welcome", "Welcome", ["name"]],
    ["tpl_receipt", "Receipt", ["amount", "date", "description", "name", "reference"]],
    ["tpl_magic_link", "Magic link", ["button", "code", "explanation", "heading", "link"]],
  ])("%s compiles with zero problems and its own variables", (id, name, variables) => {
    const sample = samples.find((one) => one.id === id);
    if (sample === undefined) throw new Error(`no sample ${id}`);
    expect(sample.name).toBe(name);
    expect(sample.fromEmail).toMatch(/^[a-z]+$/);
    const lines = [sample.subject, sample.previewText, sample.fromName].map((line) =>
      compileLine(line, "transactional"),
    );
    const body = compile(sample.lmx, "transactional");
    expect([...lines, body].flatMap(({ problems }) => problems)).toEqual([]);
    const all = new Set([...lines.flatMap((line) => line.variables), ...(body.compiled?.variables ?? [])]);
    expect([...all].toSorted()).toEqual(variables.map((variable) => `data.${variable}`));
    expect(missing([...all], values)).toEqual([]);
  });

  it("name person and purpose in the subject", () => {
    const subjects = samples.map(({ subject }) => fill(compileLine(subject, "transactional").parts ?? [], values));
    expect(subjects).toEqual(["Welcome to Acme, Ada & Co", "Your receipt for $49.00", "Sign in to Acme"]);
  });

  it("pass a magic link unchanged", () => {
    const page = fill(compiled(samples[2]?.lmx ?? "").html, values);
    // The button, its shape for Outlook, and the address in words.
    expect(page.match(/href="https:\/\/app\.example\.com\/verify\?token=a%2Fb&amp;type=magiclink"/g)).toHaveLength(3);
  });

  it("read well as text", () => {
    const [welcome, receipt, magicLink] = samples.map(({ lmx }) => fill(compiled(lmx).text, values));
    expect(welcome).toBe(`Welcome aboard, Ada & Co

Your account is ready. Most teams see their first result within ten minutes; here is the shortest way there.

1. Connect your data. Pick a source, or start with the sample project to look around.
2. Invite a teammate. Everything is easier to judge with a second pair of eyes.
3. Choose your alerts. We stay quiet until something needs you.

Set up your workspace: https://app.example.com/start

Rather see it first?

Walk through a finished workspace, with nothing to install. Take the four-minute tour: https://example.com/tour

If you get stuck, reply to this email. It reaches a person on our team, and we answer within one working day.

Glad you are here,
Sam
`);
    expect(receipt).toBe(`Thank you, Ada & Co

We have received your payment. There is nothing left to do; keep this email for your records.

Amount paid

$49.00

----------

Description | Team plan, monthly
Date paid | 3 May 2026
Reference | INV-0142

Need a VAT number on it, or does something look wrong? Reply to this email and quote the reference above.

See all your invoices: https://app.example.com/billing
`);
    expect(magicLink).toBe(`Sign in to Acme

Use the button to sign in. It works once.

Sign in: https://app.example.com/verify?token=a%2Fb&type=magiclink

Or enter this code

482913

Button not working? Copy this address into your browser:
https://app.example.com/verify?token=a%2Fb&type=magiclink

----------

Did you not ask for this? Then ignore this email: nothing changes as long as nobody uses the link or the code. Never pass them on; we will not ask you for them.
`);
  });
});
