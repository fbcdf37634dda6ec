import type { Kind } from "../../src/lib/lmx/compile.ts";
import type { LmxFile } from "../../src/lib/lmx/file.ts";
import { emptySource, type MessageSource } from "../../src/lib/lmx/message/message-source.ts";

export const kindOf = ({ values, fallbacks, lmx }: LmxFile): Kind => {
  const names = [...Object.keys(values), ...Object.keys(fallbacks)];
  const uses = (namespace: string) =>
    names.some((name) => name.startsWith(`${namespace}.`)) || lmx.includes(`{${namespace}.`);
  if (uses("data")) return "transactional";
  if (uses("event")) return "workflow";
  return uses("contact") || uses("system") ? "campaign" : "transactional";
};

export const sourceOf = ({ fields, fallbacks, lmx }: LmxFile): MessageSource => {
  const { id: _id, name: _name, theme: _theme, emailFormat, ...lines } = fields;
  const under = (namespace: string) =>
    Object.fromEntries(
      Object.entries(fallbacks).flatMap(([name, value]) =>
        name.startsWith(`${namespace}.`) ? [[name.slice(namespace.length + 1), value]] : [],
      ),
    );
  return {
    ...emptySource,
    ...lines,
    ...(emailFormat === "plain" ? { emailFormat } : {}),
    contactPropertiesFallbacks: under("contact"),
    eventPropertiesFallbacks: under("event"),
    dataVariablesFallbacks: under("data"),
    lmx,
  };
};
