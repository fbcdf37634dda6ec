import { secretsIn } from "../../../src/lib/signature/secrets.ts";
import { whyUnusable } from "../../../src/lib/signature/usable.ts";
import { handlerOf, type Source, schemeOf, sources } from "../../../src/sources.ts";
import { newSigningSecret } from "../secrets.ts";
import type { State, Step } from "../state.ts";
import { chosen } from "./which-sources.ts";

const WHERE: Readonly<Record<string, string>> = {
  stripe: "Stripe: Developers → Webhooks → your endpoint → Signing secret (whsec_…)",
  clerk: "Clerk: Webhooks → your endpoint → Signing Secret (whsec_…)",
  supabase: "Supabase: Authentication → Hooks → Send Email hook, HTTPS → Secret (v1,whsec_…)",
  generic:
    "Your own systems: a Standard Webhooks secret (whsec_…) that the sender has too; enter generate to create one",
};

export const whereOf = (source: Source): string => {
  const { provider, about } = handlerOf(source);
  if (source.header)
    return `${about.title}: add the header ${source.header} to the webhook; its value is yours to choose`;
  return WHERE[provider] ?? `${about.title}: ${about.setUp}`;
};

export const webhookSecrets: Step = {
  title: "Webhook secrets",
  why: "Each provider signs its webhooks with a secret. A source without its secret refuses every webhook.",
  async run(state) {
    const used = await chosen(state);
    if (used === "given") return takeGiven(state);
    if (used.length === 0) return;
    const base = expectedUrl(state);
    state.io.print(
      base
        ? `A provider shows the secret after you enter the address of the source: ${base}/hooks/<source>.`
        : "A provider shows the secret after you enter the address of the source. Without the address, skip it and run this again later.",
    );
    for (const [name, source] of used) await askSecret(state, name, source);
  },
};

const takeGiven = async (state: State): Promise<void> => {
  const { io, bridge, bridgeSecrets } = state;
  for (const [name, source] of Object.entries(sources)) {
    const { secret: variable } = source;
    const text = `${variable} of the source ${name}`;
    const answer = await io.ask({ variable, text, initial: "", secret: true, check: checkOf(state, source) });
    if (answer) bridgeSecrets[variable] = answer;
    if (answer || bridge.secrets.has(variable)) io.print(`${name}: ${variable} ${answer ? "is set" : "is kept"}.`);
  }
};

const generates = ({ unattended }: State, source: Source): boolean =>
  handlerOf(source).provider === "generic" && !unattended;

/** The word "generate" is valid base64, but could be guessed. */
const checkOf =
  (state: State, source: Source) =>
  async (given: string): Promise<string | undefined> => {
    if (given !== "generate") return unusable(source, given);
    return generates(state, source)
      ? undefined
      : "Only the secret of the generic source can be generated, and not with --yes.";
  };

const askSecret = async (state: State, name: string, source: Source): Promise<void> => {
  const { io, hidden, bridgeSecrets } = state;
  const { secret: variable } = source;
  const there = state.bridge.secrets.has(variable);
  io.print(`${name}. ${whereOf(source)}`);
  const answer = await io.ask({
    variable,
    text: `${variable} (Enter ${there ? "keeps the current secret" : "skips"})`,
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
    io.print(
      `  Skipped: POST /hooks/${name} refuses every webhook until ${variable} is set. To set it, run this again.`,
    );
  }
};

const unusable = async (source: Source, given: string): Promise<string | undefined> => {
  const secrets = secretsIn(given, handlerOf(source).freeSecret ?? false);
  // A valid secret would hide a mistyped one.
  const reasons = await Promise.all(secrets.map((secret) => whyUnusable(schemeOf(source), secret)));
  return reasons.find((reason) => reason !== undefined);
};

/** Undefined with routes. */
const expectedUrl = ({ emailUrl, workers: { bridge, email } }: State): string | undefined => {
  const prefix = `https://${email.name}.`;
  return emailUrl.startsWith(prefix) && emailUrl.endsWith(".workers.dev") && !bridge.raw.routes && !bridge.raw.route
    ? `https://${bridge.name}.${emailUrl.slice(prefix.length)}`
    : undefined;
};
