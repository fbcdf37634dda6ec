import { secretsIn } from "../src/lib/signature/secrets.ts";
import { handlerOf, sources } from "../src/sources.ts";
import { localSettings } from "./dev-vars.ts";
import { entryOf, print, table, UsageError } from "./lib/cli.ts";
import { define, type Line, runCommand } from "./lib/command.ts";
import { assign } from "./samples/assign.ts";
import { listSamples, sampleBody, signedSample } from "./samples/samples.ts";

const DEMO = define({
  name: "demo",
  about: "Sends a signed sample webhook to the bridge, as the provider would.",
  arguments: ["[provider]", "[type]"],
  examples: [
    ["", "lists the samples"],
    ["stripe checkout.session.completed"],
    ["stripe checkout.session.completed --set data.object.amount_total=4900"],
  ],
  options: {
    set: {
      value: "path=value",
      many: true,
      about: "changes a value of the body; dotted path, list items as [0]; may be repeated",
    },
    source: {
      value: "name",
      about: "sends to /hooks/<name> (default: the provider) and signs with that source's secret",
    },
    url: {
      value: "url",
      about: "the bridge (default: the one that npm start runs here, or http://127.0.0.1:<PORT>, PORT 8787)",
    },
  },
  notes: "The secret of the source comes from the environment or .dev.vars.",
});

/** The sample webhooks of npm start link its customer to the address. */
const NEXT = `
This starts a trial. If the sample workflow of npm start runs, its contact enters it, once only. To see whether it did:
  npm run workflow -- explain trial ada@example.com`;

const settings = (given: readonly string[]) =>
  Object.fromEntries(
    given.map((setting) => {
      const at = setting.indexOf("=");
      if (at < 1) throw new UsageError(`--set ${setting}: expected path=value.`);
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );

const post = async (url: string, headers: Record<string, string>, body: string) => {
  try {
    return await fetch(url, { method: "POST", headers, body });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`Nothing answers at ${url} (${cause}). Start the bridge in another terminal: npm start.`);
  }
};

const secretOf = (source: string, vars: Readonly<Record<string, string | undefined>>): string => {
  const found = entryOf("source", sources, source);
  // A rotation has several secrets, and the bridge accepts each.
  const [secret] = secretsIn(vars[found.secret] ?? "", handlerOf(found).freeSecret ?? false);
  if (secret) return secret;
  throw new Error(`No signing secret: set ${found.secret} in .dev.vars or the environment.`);
};

const main = async ({ values, args: [provider, type] }: Line<typeof DEMO>): Promise<boolean> => {
  if (provider === undefined || type === undefined) {
    const samples = listSamples().filter(({ source }) => provider === undefined || source === provider);
    // Throws, with the nearest provider that has samples.
    if (samples.length === 0) sampleBody(provider ?? "", "");
    console.log(
      table(
        ["provider", "type"],
        samples.map(({ source, type }) => [source, type]),
      ),
    );
    if (provider === undefined)
      console.log(
        "\nTo send one, with a changed value, and what else can be given:\n" +
          "  npm run demo -- stripe checkout.session.completed\n" +
          "  npm run demo -- stripe checkout.session.completed --set data.object.amount_total=4900\n" +
          "  npm run demo -- --help",
      );
    return true;
  }
  const set = settings(values.set ?? []);
  // A wrong command line is reported before a missing secret.
  const body = sampleBody(provider, type);
  for (const [path, value] of Object.entries(set)) assign(body, path, value);
  const vars = localSettings();
  const source = values.source ?? provider;
  const secret = secretOf(source, vars);
  const sample = await signedSample(provider, type, { secret, now: Date.now(), set });

  const base = values.url ?? `http://127.0.0.1:${vars.PORT || 8787}`;
  const url = `${base.replace(/\/+$/, "")}/hooks/${encodeURIComponent(source)}`;
  const response = await post(url, sample.headers, sample.raw);
  console.log(`POST ${url}\n${provider} ${type}, id ${sample.id}\n`);
  print(`${response.status} ${response.statusText}\n${await response.text()}`);
  if (response.ok && provider === "stripe" && type === "customer.subscription.created") console.log(NEXT);
  return response.ok;
};

await runCommand(DEMO, main);
