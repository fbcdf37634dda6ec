import { expect, it } from "vitest";
import { failure } from "../service.ts";
import { createBench, mail } from "../setup.ts";

const NAME = "drop-table@example.com";

const firewall = () => new Response("<html>Blocked</html>", { status: 403, headers: { "Content-Type": "text/html" } });
const host401 = () => failure(401, "This contact is refused.");

const measure = async (refusal: () => Response) => {
  const bench = await createBench(() => ({ random: () => 0.5 }));
  const { accept, service, pass } = bench;
  service.before = ({ body }) => (body.email === NAME ? refusal() : undefined);
  await accept({ deliveries: [mail({ email: NAME })] });
  const accepted = new Map<unknown, number>();
  for (let n = 0; n < 120; n++) {
    const email = `user${n}@example.com`;
    accepted.set(email, service.now());
    await accept({ deliveries: [mail({ email }, { urgent: true, expiresAt: service.now() + 600_000 })] });
    await pass(1_000);
  }
  await pass(30_000);
  const others = service.acted.filter(({ body }) => accepted.has(body.email));
  const delays = others.map(({ at, body }) => at - (accepted.get(body.email) ?? 0));
  return {
    arrived: others.length,
    longest: Math.max(...delays),
    sent: service.received.filter(({ body }) => body.email === NAME).length,
  };
};

it.each([
  ["a firewall's web page with 403", firewall, 12],
  ["a 401 of the email service about this delivery", host401, 2],
])("one mail that is always refused delays no sign-in mail of others: %s", async (what, refusal, most) => {
  const { arrived, longest, sent } = await measure(refusal);
  console.log(`${what}: the longest delay of others ${longest} ms; sent ${sent} times in 150 s`);
  expect(arrived).toBe(120);
  expect(longest).toBeLessThanOrEqual(310);
  expect(sent).toBeLessThanOrEqual(most);
});
