import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { act } from "../../../../scripts/act/act.ts";
import { ACT } from "../../../../scripts/act/usage.ts";
import { BACKFILL } from "../../../../scripts/backfill/usage.ts";
import { parse } from "../../../../scripts/lib/command.ts";
import {
  deliveryCure,
  doorCure,
  pauseCure,
  ruleCure,
  type Setup,
  suppressionCure,
} from "../../../../scripts/why/cures.ts";
import type { Delivery, Webhook } from "../../../../scripts/why/found.ts";
import { WHY } from "../../../../scripts/why/usage.ts";
import { reasons } from "../../../../src/outbox/model/reasons.ts";

const root = join(import.meta.dirname, "../../../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const options: Record<string, object> = { act: ACT.options, backfill: BACKFILL.options, why: WHY.options };

const here: Setup = {
  options: "",
  isDeployed: false,
  sources: { shop: { secret: "SHOP_SECRET", backfill: true, fetchBackKey: "SHOP_API_KEY" } },
};
const deployed: Setup = { ...here, options: " --url https://b.example.com", isDeployed: true };

const delivery = (more: Partial<Delivery>): Delivery => ({
  id: "wh_1.0",
  rule: "r",
  action: "transactional",
  state: "failed",
  why: "",
  contact: { email: "ada@example.com" },
  attempts: [],
  ...more,
});
const webhook = (more: Partial<Webhook> = {}): Webhook => ({
  id: "wh_1",
  acceptedAt: "",
  source: "shop",
  type: "paid",
  eventId: "evt_1",
  test: false,
  why: "",
  outcomes: [],
  deliveries: [],
  ...more,
});
const cure = (more: Partial<Delivery>, setup = here) => deliveryCure(delivery(more), webhook(), setup);
const waits = (waitingFor: NonNullable<Delivery["waitingFor"]>, setup = here) =>
  cure({ state: "waiting", waitingFor }, setup);

const REPLAY = "npm run act -- replay wh_1 --actions transactional --yes";
const RETRY = "npm run act -- retry wh_1.0";
const DISCARD = "npm run act -- discard wh_1.0";
const AGAIN = "npm run act -- send-again wh_1.0 --yes";
const LEARN =
  "Read the customers of shop (npm run backfill -- shop --since all), or let the bridge ask shop (SHOP_API_KEY=… in .dev.vars), or let shop send a webhook that has the address";

const ASK = LEARN.replace(/^Read .*?, or l/, "L");

const cures: [string, string | undefined, string | undefined][] = [
  [
    "the email service refused the delivery",
    cure({ attempts: [{ status: 400 }], message: "Missing" }),
    `If the rule gave a wrong value: change the rule, npm run check, then ${REPLAY}. If the cause was at the email service: ${RETRY}. To close the delivery: ${DISCARD}`,
  ],
  [
    "the email service refused a sign-in mail, whose link is erased",
    cure({ attempts: [{ status: 400 }], message: "no", dataVariables: { url: "https://a.b/?t=%5Berased%5D" } }),
    `Its one-time values are erased, so it cannot be sent again: let the person ask for a new one. To close the delivery: ${DISCARD}`,
  ],
  [
    "the mail expired",
    cure({ message: `${reasons.expired}: late` }),
    `Expired mail is never sent: let the person ask for a new one. To close the delivery: ${DISCARD}`,
  ],
  [
    "the template has no id",
    cure({ message: `${reasons.noTemplate} for "x"` }),
    `Add the template to TEMPLATES in wrangler.toml, then ${RETRY}`,
  ],
  [
    "the list has no id",
    cure({ message: `${reasons.noList} for "x"` }, deployed),
    `Add the mailing list to LISTS in wrangler.toml, npm run deploy, then ${RETRY} --url https://b.example.com`,
  ],
  [
    "waits for the person behind a payment, whom no backfill names",
    cure({ state: "waiting", waitingFor: { for: "identity" }, contact: { ref: "shop:pi_1" } }),
    `${ASK}. The delivery then goes on by itself.`,
  ],
  [
    "undecided because the person behind a charge was never learned",
    cure({ state: "undecided", message: "No webhook has linked it.", contact: { ref: "shop:ch_1" } }),
    `${ASK}, then ${RETRY}. To close the delivery: ${DISCARD}`,
  ],
  ["failed for an unknown reason", cure({ message: "?" }), `To try again: ${RETRY}. To close the delivery: ${DISCARD}`],
  ["discarded", cure({ acts: [{ act: "discard" }] }), undefined],
  ["discarded, and erased", cure({ acts: [{ act: "discard" }], dataVariables: { code: "[erased]" } }), undefined],
  [
    "undecided after an unknown outcome of a mail",
    cure({ state: "undecided", message: `${reasons.unknownOutcome}, and` }),
    `Look at the email service if it was made. If it was: ${DISCARD}. If not: ${AGAIN}`,
  ],
  [
    "undecided after an unknown outcome of an update",
    cure({ state: "undecided", action: "contact", message: `${reasons.unknownOutcome}, and` }),
    `It may safely be made twice: ${RETRY}`,
  ],
  [
    "undecided without an identity link",
    cure({ state: "undecided", message: "No webhook has linked" }),
    `${LEARN}, then ${RETRY}. To close the delivery: ${DISCARD}`,
  ],
  [
    "plan-only mode",
    cure({ state: "skipped", message: reasons.planOnly }),
    `Remove planOnly from the source shop in src/sources.ts, then ${REPLAY}`,
  ],
  [
    "test data",
    cure({ state: "skipped", message: reasons.testData }),
    `To send test data too: set testData: "deliver" at the source shop in src/sources.ts, then ${REPLAY}`,
  ],
  [
    "not an allowed recipient",
    cure({ state: "skipped", message: reasons.notAllowed }),
    `Add the address to ALLOWED_RECIPIENTS in wrangler.toml, or empty that setting, then ${REPLAY}`,
  ],
  [
    "an ignored recipient",
    cure({ state: "skipped", message: reasons.ignored }),
    `Take the address or its domain out of IGNORED_RECIPIENTS in wrangler.toml, then ${REPLAY}`,
  ],
  [
    "not made by the stored state",
    cure({ state: "skipped", message: `${reasons.byState} x: y.` }),
    `To send it all the same: ${AGAIN}`,
  ],
  [
    "of another subscription",
    cure({ state: "skipped", message: `${reasons.hasOther} x.` }),
    `To send it all the same: ${AGAIN}`,
  ],
  ["too old", cure({ state: "skipped", message: `${reasons.tooOld}: x` }), `To send it all the same: ${AGAIN}`],
  ["all deliveries are paused", waits({ for: "paused" }), "npm run act -- resume"],
  ["a source is paused", waits({ for: "paused", source: "shop" }), "npm run act -- resume shop"],
  [
    "blocked",
    waits({ for: "blocked" }, deployed),
    "Set an API key that the email service accepts (npx wrangler secret put EMAIL_API_KEY). Delivery then goes on by itself.",
  ],
  ["an identity link is missing", waits({ for: "identity" }), `${LEARN}. The delivery then goes on by itself.`],
  [
    "an identity link for which the delivery waits ten minutes at most",
    cure({ state: "waiting", waitingFor: { for: "identity" }, waitsForTie: true }),
    undefined,
  ],
  [
    "behind an earlier delivery",
    waits({ for: "turn", behind: "wh_0.1" }),
    "See what the earlier delivery waits for: npm run why -- wh_0.1",
  ],
  [
    "an outage",
    waits({ for: "outage" }),
    "See that the email service runs, and that EMAIL_API_URL, if set, is its address. Delivery goes on by itself.",
  ],
  ["backoff", waits({ for: "backoff" }), undefined],
  ["the next attempt", waits({ for: "time" }), undefined],
  ["a free slot", waits({ for: "slot" }), undefined],
  ["in flight", waits({ for: "answer" }), undefined],
  ["done", cure({ state: "done" }), undefined],
  ["replaced", cure({ state: "replaced" }), undefined],
  [
    "a rule failed",
    ruleCure(webhook({ deliveries: [delivery({})], outcomes: [{ rule: "r", outcome: "failed", why: "" }] }), here),
    "Correct the rule in src/mappings (those of shop), npm run check, then npm run act -- replay wh_1 --actions contact,event,transactional --yes",
  ],
  [
    "no rule matched",
    ruleCure(webhook({ outcomes: [{ rule: "r", outcome: "not matched", why: "" }] }), here),
    "If it should cause something: change the condition in src/mappings (rules of shop), npm run check, then npm run act -- replay wh_1 --actions contact,event,transactional --yes",
  ],
  [
    "the rules are on another event type: they are right",
    ruleCure(
      webhook({ outcomes: [{ rule: "r", outcome: "not matched", message: "Enable x at the endpoint.", why: "" }] }),
      here,
    ),
    undefined,
  ],
  [
    "no rule is on the type",
    ruleCure(webhook(), deployed),
    'If it should cause something: add a rule on "paid" to src/mappings (rules of shop), npm run check, npm run deploy, then npm run act -- replay wh_1 --actions contact,event,transactional --yes --url https://b.example.com',
  ],
  [
    "a rule matched, and a backfill leaves its mail out",
    ruleCure(webhook({ outcomes: [{ rule: "r", outcome: "matched", why: "" }] }), here),
    undefined,
  ],
  ["a delivery was made", ruleCure(webhook({ deliveries: [delivery({})] }), here), undefined],
  ["suppressed", suppressionCure(here, "a@b.cd"), "If the address is good: npm run act -- unsuppress a@b.cd"],
  ["paused, as a whole", pauseCure(deployed), "npm run act -- resume --url https://b.example.com"],
  [
    "refused at the door for its signature",
    doorCure("shop", "invalid_signature", deployed),
    "Copy the signing secret of this endpoint from the provider: npx wrangler secret put SHOP_SECRET",
  ],
  [
    "refused at the door without a secret",
    doorCure("shop", "source_not_configured", here),
    "Copy the signing secret of this endpoint from the provider: SHOP_SECRET=… in .dev.vars",
  ],
  [
    "refused at the door for its address",
    doorCure("(unknown)", "unknown_source", here),
    "Correct the address at the provider: /hooks/ and the name of a source in src/sources.ts, without a slash at the end.",
  ],
  [
    "refused at the door because no rule sends its mail",
    doorCure("shop", "no_mail", here),
    "Add a rule with `transactional` for the type of this webhook (docs/rules.md), or switch this mail off at the provider.",
  ],
  ["refused at the door for its size", doorCure("shop", "body_too_large", here), "See body_too_large in docs/door.md."],
];

describe("what to do", () => {
  test.each(cures)("%s", (_, given, wanted) => expect(given).toBe(wanted));

  test("every command that is named exists, with its action and options", async () => {
    const text = cures.map(([, given]) => given).join("\n");
    const named = [...text.matchAll(/npm run ([\w:]+)(?: -- ([\w-]+))?([^.,\n]*)/g)];
    expect(named.length).toBeGreaterThan(30);
    for (const [, script = "", action = "", rest = ""] of named) {
      expect(Object.keys(scripts)).toContain(script);
      for (const [, option = ""] of rest.matchAll(/--(\w+)/g)) {
        expect(Object.keys(options[script] ?? {}), script).toContain(option);
      }
      if (script === "act") await expect(act(parse(ACT, [action, "subject"]), {}), action).rejects.toThrow("No token");
    }
  });

  test("each code of a refusal that has no cure of its own is in docs/door.md", () => {
    const page = readFileSync(join(root, "docs/door.md"), "utf8");
    const codes = ["body_too_large", "invalid_json", "unexpected_body", "method_not_allowed", "key_unavailable"];
    for (const code of [...codes, "journal_unavailable", "overloaded"]) {
      expect(doorCure("shop", code, here)).toBe(`See ${code} in docs/door.md.`);
      expect(page).toContain(`\`${code}\``);
    }
  });
});
