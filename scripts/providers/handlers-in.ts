import type { Handler } from "../../src/webhook.ts";

export const handlersIn = (module: Readonly<Record<string, unknown>>): Handler[] =>
  Object.values(module).filter(
    (value): value is Handler =>
      typeof value === "object" && value !== null && "provider" in value && "scheme" in value,
  );
