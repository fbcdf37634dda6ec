import { sources } from "../../../src/sources.ts";
import { table } from "../../lib/cli.ts";
import { hostedBridge, varsOf } from "../config.ts";
import { type Health, waitForHealth } from "../health.ts";
import type { State, Step } from "../state.ts";
import { withFolder } from "../temporary.ts";
import { deployWorker } from "../wrangler.ts";
import { askAddress } from "./address.ts";

/** A new bridge is deployed twice, because its address is known only afterwards. */
export const bridge: Step = {
  title: "Bridge",
  why: "The bridge receives the webhooks and calls the email service.",
  async run(state) {
    const { io, workers, bridgeSecrets, adminToken } = state;
    const hasToken = state.bridge.secrets.has("ADMIN_TOKEN");
    // Both Workers share an ADMIN_TOKEN, unless the bridge already has one.
    if (adminToken && !hasToken) bridgeSecrets.ADMIN_TOKEN = adminToken;
    io.print(`Deploying ${workers.bridge.name}${withNames(Object.keys(bridgeSecrets))} …`);
    const known = publicUrlOf(state);
    const named = await deployBridge(state, bridgeSecrets, known);
    const text = `wrangler named no address of ${workers.bridge.name}. What is its address?`;
    const url = await askAddress(io, named, { variable: "BRIDGE_URL", text });
    if (known === undefined) {
      io.print(`Deploying ${workers.bridge.name} with its address, PUBLIC_URL=${url} …`);
      await deployBridge(state, {}, url);
    }
    summary(state, url, await waitForHealth(io, url));
  },
};

const withNames = (names: readonly string[]) => (names.length > 0 ? ` with ${names.join(", ")}` : "");

/** Every deployment replaces all variables. */
const publicUrlOf = ({ workers, bridge }: State): string | undefined =>
  [varsOf(workers.bridge).PUBLIC_URL, bridge.vars?.PUBLIC_URL].find(
    (url): url is string => typeof url === "string" && url !== "",
  );

const deployBridge = (
  { io, workers, service, contactProperties, templates, env }: State,
  secrets: Record<string, string>,
  publicUrl: string | undefined,
): Promise<string | undefined> => {
  const own: Record<string, string> = publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl };
  if (service === undefined) return deployWorker(io.run, workers.bridge, secrets, env, own);
  return withFolder(async (folder) => {
    const vars = { EMAIL_API_URL: service, CONTACT_PROPERTIES: contactProperties, TEMPLATES: templates };
    return deployWorker(io.run, hostedBridge(workers.bridge, workers.email, vars, folder), secrets, env, own);
  });
};

const summary = ({ io, bridge, bridgeSecrets, service, emailReasons }: State, url: string, health: Health): void => {
  const has = (name: string) => bridge.secrets.has(name) || name in bridgeSecrets;
  const rows = Object.entries(sources).map(([name, { secret }]) => [
    name,
    `${url}/hooks/${name}`,
    has(secret) ? "ready" : `refuses every webhook: ${secret} is not set`,
  ]);
  io.print(`${url}/health answers: ${[health.status, ...health.reasons].join("; ")}.`);
  io.print(`\nEnter these addresses at the providers:\n${table(["source", "webhook address", ""], rows)}`);
  io.print("\nWhat next");
  if (!has("EMAIL_API_KEY"))
    io.print(
      "- The bridge has no API key: it keeps webhooks in the journal and delivers no deliveries. Run this again.",
    );
  if (rows.some(([, , state]) => state !== "ready")) {
    io.print("- Sources without a secret: create the endpoint at the provider, then run this again with its secret.");
  }
  io.print(`- Try it, with its STRIPE_WEBHOOK_SECRET in .dev.vars or the environment:`);
  io.print(`  npm run demo -- stripe checkout.session.completed --url ${url}`);
  io.print(
    has("ADMIN_TOKEN")
      ? `- See why a person got a mail or not, with its ADMIN_TOKEN in .dev.vars or the environment:\n  npm run why -- ada@example.com --url ${url}`
      : "- The bridge has no ADMIN_TOKEN, so its /admin stays closed: npx wrangler secret put ADMIN_TOKEN",
  );
  if (service !== undefined) io.print(`- ${service} sends the email, with its own settings.`);
  for (const reason of emailReasons) io.print(`- The email service reports: ${reason}.`);
  if (emailReasons.some((reason) => reason.startsWith("no mail leaves"))) {
    io.print("  Contacts, events and templates work. To choose a sender, run this again with TRANSACTIONAL_SENDER.");
  }
};
