import { parseArgs } from "node:util";
import { nearest } from "../src/lib/util/nearest.ts";
import { sources } from "../src/sources.ts";
import { readDevVars } from "./dev-vars.ts";
import { listSamples, sampleBody, signedSample } from "./samples/samples.ts";

const HELP = `Sends a signed sample webhook to the bridge, as the provider would.

  npm run demo                                         the samples there are
  npm run demo -- stripe checkout.session.completed
  npm run demo -- stripe checkout.session.completed --set data.object.amount_total=4900

Options
  --set path=value   changes a value of the body; dotted path, lists as [0]; may be repeated
  --source name      sends to /hooks/<name> (default: the provider) and signs with that source's secret
  --secret value     signs with this secret instead of the one in .dev.vars
  --url url          where the bridge is (default: http://127.0.0.1:<PORT>, PORT 8787)
  --help             this text`;

/** The variable that holds a source's signing secret. Throws on a source the bridge does not have. */
const secretVariable = (source: string) => {
  const variable = Object.hasOwn(sources, source) ? sources[source]?.secret : undefined;
  if (variable) return variable;
  throw new Error(
    `There is no source "${source}" in src/sources.ts. Did you mean ${nearest(source, Object.keys(sources))}?`,
  );
};

const settings = (given: readonly string[]) =>
  Object.fromEntries(
    given.map((setting) => {
      const at = setting.indexOf("=");
      if (at < 1) throw new Error(`--set ${setting}: expected path=value.`);
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );

const post = async (url: string, headers: Record<string, string>, body: string) => {
  try {
    return await fetch(url, { method: "POST", headers, body });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`Nothing answers at ${url} (${cause}). Start it with npm start, in another terminal.`);
  }
};

const main = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: "string", multiple: true, default: [] },
      source: { type: "string" },
      secret: { type: "string" },
      url: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [provider, type, ...rest] = positionals;
  if (values.help) return console.log(HELP);
  if (provider === undefined) {
    console.table(listSamples());
    return console.log(`\n${HELP}`);
  }
  if (type === undefined) {
    const types = listSamples().filter((sample) => sample.source === provider);
    if (types.length === 0) sampleBody(provider, "");
    return console.table(types);
  }
  if (rest.length > 0) throw new Error(`Unexpected: ${rest.join(" ")}. See npm run demo -- --help.`);
  sampleBody(provider, type); // an unknown sample is told before a missing secret

  const vars = { ...readDevVars(), ...process.env };
  const source = values.source ?? provider;
  // Of several (rotation) any will do.
  const secret = values.secret ?? vars[secretVariable(source)]?.split(/[\s|]+/).find(Boolean);
  if (!secret) throw new Error(`No signing secret: set ${secretVariable(source)} in .dev.vars, or use --secret.`);
  const sample = await signedSample(provider, type, { secret, now: Date.now(), set: settings(values.set) });

  const base = values.url ?? `http://127.0.0.1:${vars.PORT ?? 8787}`;
  const url = `${base.replace(/\/+$/, "")}/hooks/${encodeURIComponent(source)}`;
  const response = await post(url, sample.headers, sample.raw);
  console.log(`POST ${url}\n${provider} ${type}, id ${sample.id}\n`);
  console.log(`${response.status} ${response.statusText}\n${await response.text()}`);
  if (!response.ok) process.exitCode = 1;
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
