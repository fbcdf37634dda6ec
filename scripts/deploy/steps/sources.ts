import { secretsIn } from "../../../src/env.ts";
import { verifyWith } from "../../../src/lib/signature/verify.ts";
import { handlerOf, type Source, sources } from "../../../src/sources.ts";
import { newSigningSecret } from "../secrets.ts";
import type { State, Step } from "../state.ts";
import { chosen } from "./which-sources.ts";

/** Where a provider shows the signing secret of an endpoint. */
const WHERE: Readonly<Record<string, string>> = {
  stripe: "Stripe: Developers → Webhooks → your endpoint → Signing secret (whsec_…)",
  clerk: "Clerk: Webhooks → your endpoint → Signing Secret (whsec_…)",
  supabase: "Supabase: Authentication → Hooks → Send Email hook, HTTPS → Secret (v1,whsec_…)",
  generic:
    "Your own systems: any Standard Webhooks secret (whsec_…) that you give the sender too; type generate for one",
};

/** The secrets of the sources in src/sources.ts that are used. */
export const webhookSecrets: Step = {
  title: "Webhook secrets",
  why: "Each provider signs its webhooks with a secret; a source without one refuses everything.",
  async run(state) {
    const used = await chosen(state);
    if (used === "given") return takeGiven(state);
    if (used.length === 0) return;
    const base = expectedUrl(state);
    state.io.print(
      base
        ? `A provider shows its secret once it knows the address, which will be ${base}/hooks/<source>.`
        : "A provider shows its secret once it knows the address. Where you have none yet, skip, and run this again after.",
    );
    for (const [name, source] of used) await askSecret(state, name, source);
  },
};

/** Takes every secret that the environment has. Those it has not are kept, or not missed. */
const takeGiven = async (state: State): Promise<void> => {
  const { io, bridge, bridgeSecrets } = state;
  for (const [name, source] of Object.entries(sources)) {
    const { secret: variable } = source;
    const text = `${variable}, of the source ${name}`;
    const answer = await io.ask({ variable, text, initial: "", secret: true, check: checkOf(state, source) });
    if (answer) bridgeSecrets[variable] = answer;
    if (answer || bridge.secrets.has(variable)) io.print(`${name}: ${variable} ${answer ? "is set" : "is kept"}.`);
  }
};

const generates = ({ unattended }: State, source: Source): boolean =>
  handlerOf(source).provider === "generic" && !unattended;

/** Why a secret cannot be taken. "generate" is also good base64: taken as a secret, everyone could guess it. */
const checkOf =
  (state: State, source: Source) =>
  async (given: string): Promise<string | undefined> => {
    if (given !== "generate") return unusable(source, given);
    return generates(state, source)
      ? undefined
      : "Only the generic source's secret can be generated, and only where someone can read it.";
  };

const askSecret = async (state: State, name: string, source: Source): Promise<void> => {
  const { io, hidden, bridgeSecrets } = state;
  const { secret: variable } = source;
  const handler = handlerOf(source);
  const there = state.bridge.secrets.has(variable);
  io.print(`${name}. ${WHERE[handler.provider] ?? `${handler.about.title}: ${handler.about.setUp}`}`);
  const answer = await io.ask({
    variable,
    text: `${variable} (Enter ${there ? "keeps the one there is" : "skips"})`,
    initial: "",
    secret: true,
    check: checkOf(state, source),
  });
  if (answer === "generate") {
    const made = newSigningSecret();
    state.showOnce(variable, made);
    hidden.add(made);
    bridgeSecrets[variable] = made;
  } else if (answer) {
    bridgeSecrets[variable] = answer;
  } else if (!there) {
    io.print(`  Skipped: POST /hooks/${name} refuses every webhook until ${variable} is set. Run this again for that.`);
  }
};

const UNSIGNED = { method: "POST", url: "https://bridge.invalid/hooks/source", headers: new Headers(), raw: "" };
const OUTSIDE = { fetch: () => Promise.reject(new Error("nothing is fetched here")), cache: new Map() };

/** Why the source's own handler could not use a secret: it is asked to verify a request that is not signed at all. */
const unusable = async (source: Source, given: string): Promise<string | undefined> => {
  const { scheme, freeSecret = false } = handlerOf(source);
  // Each by itself: next to a good one, a mistyped one would only be found by the first webhook signed with it.
  for (const secret of secretsIn(given, freeSecret)) {
    const refusal = await verifyWith(scheme, UNSIGNED, [secret], Date.now(), OUTSIDE);
    if (refusal?.code === "source_not_configured") return refusal.message;
  }
  return undefined;
};

/** Both Workers are at the account's workers.dev subdomain; unknown with routes, or without an email Worker. */
const expectedUrl = ({ emailUrl, workers: { bridge, email } }: State): string | undefined => {
  const prefix = `https://${email.name}.`;
  return emailUrl.startsWith(prefix) && emailUrl.endsWith(".workers.dev") && !bridge.raw.routes && !bridge.raw.route
    ? `https://${bridge.name}.${emailUrl.slice(prefix.length)}`
    : undefined;
};
