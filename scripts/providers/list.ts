import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Handler } from "../../src/webhook.ts";
import { handlersIn } from "./handlers-in.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "handlers");

/** Every file of src/handlers, as a full path. */
export const handlerFiles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => join(folder, file));

/** Every handler there is, by provider, with the name of its file. */
export const listWithFiles = async (): Promise<Record<string, { handler: Handler; file: string }>> => {
  const modules = await Promise.all(
    handlerFiles().map(async (file) => ({
      file: basename(file),
      module: (await import(file)) as Record<string, unknown>,
    })),
  );
  const listed = modules.flatMap(({ file, module }) => handlersIn(module).map((handler) => ({ handler, file })));
  return Object.fromEntries(listed.map((each) => [each.handler.provider, each]));
};

/** Every handler there is, by provider. */
export const listHandlers = async (): Promise<Record<string, Handler>> =>
  Object.fromEntries(Object.entries(await listWithFiles()).map(([provider, { handler }]) => [provider, handler]));
