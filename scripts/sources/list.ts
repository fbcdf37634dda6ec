import { secretsIn } from "../../src/lib/signature/secrets.ts";
import { handlerOf, sources } from "../../src/sources.ts";
import { table } from "../lib/cli.ts";

type Vars = Readonly<Record<string, string | undefined>>;

/** Lists the sources and their secrets and keys, without values. `vars`: settings of this machine. */
export const listSources = (vars: Vars): string => {
  const state = (variable: string, isSet: boolean) => `${variable} is ${isSet ? "" : "not "}set`;
  const rows = Object.entries(sources).map(([name, source]) => {
    const { about, freeSecret = false } = handlerOf(source);
    const key = source.fetchBack?.key;
    return [
      name,
      about.title,
      `/hooks/${name}`,
      state(source.secret, secretsIn(vars[source.secret] ?? "", freeSecret).length > 0),
      key === undefined ? "" : state(key, Boolean(vars[key]?.trim())),
    ];
  });
  return table(["source", "provider", "address", "secret on this machine", "key of its API"], rows);
};
