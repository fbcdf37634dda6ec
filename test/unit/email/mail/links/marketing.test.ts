import { expect, it } from "vitest";
import { addressDigest } from "../../../../../src/email/mail/links/address.ts";
import { readToken } from "../../../../../src/email/mail/links/link-token.ts";
import { marketingParts } from "../../../../../src/email/mail/links/marketing.ts";
import { confirmLinkOf, preferencesUrlOf, unsubscribeUrlOf } from "../../../../../src/email/mail/links/urls.ts";
import { unsendable } from "../../../../../src/email/mail/mime/check.ts";
import { shownHeader } from "../../../../../src/email/mail/mime/header-fields.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import { compile } from "../../../../../src/lib/lmx/compile.ts";
import { fill } from "../../../../../src/lib/lmx/fill.ts";

const target = {
  team: "acme",
  send: 5,
  row: 7,
  contact: "con_0123456789abcdefghij",
  list: "lst_0123456789abcdefghij",
  address: addressDigest("ada@example.com"),
};
const secret = "the secret";
const site = "https://mail.example.com";

it("each link leads to the page of its kind", async () => {
  const urls = {
    unsubscribe: await unsubscribeUrlOf(secret, site, target),
    preferences: await preferencesUrlOf(secret, site, target),
    confirm: await confirmLinkOf(secret, site, target),
  } as const;
  for (const [kind, path] of [
    ["unsubscribe", "u"],
    ["preferences", "p"],
    ["confirm", "c"],
  ] as const) {
    const [, token = ""] = new RegExp(`^https://mail\\.example\\.com/${path}/([\\w-]+)$`).exec(urls[kind]) ?? [];
    expect(await readToken([secret], kind, token)).toEqual(target);
  }
});

it("a marketing mail has the link in its header and in its document", async () => {
  const { mail: parts, values } = await marketingParts(secret, site, target, "example.com");
  const { compiled } = compile(
    '<Paragraph><Link href="{system.unsubscribe_link}">Unsubscribe</Link></Paragraph>',
    "campaign",
  );
  expect(compiled?.variables).toEqual(["system.unsubscribe_link"]);
  expect(fill(compiled?.html ?? [], values)).toContain(`href="${parts.unsubscribeUrl}"`);
  expect(fill(compiled?.text ?? [], values)).toContain(parts.unsubscribeUrl);

  const mail: Mail = {
    ...parts,
    id: "snd_1",
    team: "acme",
    messageId: "<1@example.com>",
    date: 0,
    subject: "News",
    from: { address: "news@example.com" },
    to: [{ address: "ada@example.com" }],
    cc: [],
    bcc: [],
    replyTo: [],
    html: "",
    text: "",
    attachments: [],
  };
  expect(unsendable(mail)).toBeUndefined();
  expect(shownHeader(mail)).toMatchObject({
    "List-Unsubscribe": `<${parts.unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-ID": "<lst_0123456789abcdefghij.example.com>",
  });
  const { list: _, ...toTeam } = target;
  expect((await marketingParts(secret, site, toTeam, "example.com")).mail.listId).toBe("acme.example.com");
});
