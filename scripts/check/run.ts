import { parseExact } from "../../src/lib/webhook/parse.ts";
import { plan } from "../../src/rules/evaluate.ts";
import type { Plan, RuleSet } from "../../src/rules/types.ts";
import type { Fixture } from "./fixtures.ts";

/** Unix ms, fixed for repeatable results. */
const NOW = Date.UTC(2025, 10, 12, 12);

export type Planned = Plan & { type: string; test: boolean; body: unknown };

/** Webhooks of a fixture (several for a batch), or the reason in `unread`. */
export type Run = { fixture: string; webhooks: Planned[]; unread?: string };

/** Fixture headers replace the Standard Webhooks headers. */
const headersOf = ({ name, headers }: Fixture): Headers => {
  const id = `msg_${name}`;
  const at = String(NOW / 1000);
  return new Headers({
    "content-type": "application/json",
    "svix-id": id,
    "svix-timestamp": at,
    "webhook-id": id,
    "webhook-timestamp": at,
    ...headers,
  });
};

const adviceFor = (name: string): string =>
  `If the handler reads headers of the provider, put them into ${name}.headers.json beside the fixture, as {"name": "value"}.`;

/** Runs handler and rules over a fixture, without signature checks. Never throws. */
export const run = async (source: string, ruleSet: RuleSet, fixture: Fixture): Promise<Run> => {
  const { handler } = ruleSet;
  const { name, raw } = fixture;
  try {
    const content = parseExact(raw);
    const request = { method: "POST", url: `https://bridge.invalid/hooks/${source}`, headers: headersOf(fixture), raw };
    const items = handler.items?.(content) ?? [content];
    const envelopes = await Promise.all(items.map((item) => handler.read(request, item, NOW)));
    const webhooks = envelopes.map((envelope) => ({
      ...plan(ruleSet, { ...envelope, source }),
      type: envelope.type,
      test: envelope.test ?? false,
      body: envelope.body,
    }));
    return { fixture: name, webhooks };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hasHeaders = Object.keys(fixture.headers).length > 0;
    return { fixture: name, webhooks: [], unread: hasHeaders ? message : `${message} ${adviceFor(name)}` };
  }
};
