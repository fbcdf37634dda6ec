import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Handler } from "../../src/webhook.ts";
import { handlersIn } from "./handlers-in.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "handlers");

export const handlerFiles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => join(folder, file));

export const listWithFiles = async (): Promise<{ handler: Handler; file: string }[]> => {
  const modules = await Promise.all(
    handlerFiles().map(async (file) => ({
      file: basename(file),
      module: (await import(file)) as Record<string, unknown>,
    })),
  );
  return modules.flatMap(({ file, module }) => handlersIn(module).map((handler) => ({ handler, file })));
};
