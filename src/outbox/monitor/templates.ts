import { nearest } from "../../lib/util/nearest.ts";
import { configOf, type OutboxEnv, variableOf } from "../model/config.ts";
import type { SourceSettings } from "../model/source-settings.ts";

type Missing = { source: string; rule: string; template: string; nearest?: string };

/** Returns the templates of sources in use that `TEMPLATES` does not have, with the nearest name of it. */
export const missingTemplates = (sources: Readonly<Record<string, SourceSettings>>, env: OutboxEnv): Missing[] => {
  const { templates: known } = configOf(env);
  return Object.entries(sources).flatMap(([source, { secret, templates = [] }]) =>
    secret === undefined || variableOf(env, secret) === ""
      ? []
      : templates
          .filter(({ template }) => !Object.hasOwn(known, template))
          .map((one) => {
            const like = nearest(one.template, Object.keys(known));
            return { source, ...one, ...(like === undefined ? {} : { nearest: like }) };
          }),
  );
};
