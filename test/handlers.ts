import { listWithFiles } from "../scripts/providers/list.ts";
import type { Handler } from "../src/webhook.ts";

/** Reads every handler of src/handlers, by provider. */
export const listHandlers = async (): Promise<Record<string, Handler>> =>
  Object.fromEntries((await listWithFiles()).map(({ handler }) => [handler.provider, handler]));
