import type { Handler } from "../../src/webhook.ts";

/** The handlers among the exports of a module. */
export const handlersIn = (module: Readonly<Record<string, unknown>>): Handler[] =>
  Object.values(module).filter(
    (value): value is Handler =>
      typeof value === "object" && value !== null && "provider" in value && "scheme" in value,
  );
