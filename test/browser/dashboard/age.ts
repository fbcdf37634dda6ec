import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Mailspan } from "../../system/mailspan.ts";

/** Makes all sessions older, as if the last proof were 15 minutes ago. */
export const ageSessions = ({ state }: Mailspan): void => {
  const [file = "", ...others] = globSync(join(state, "**/*Logins*/*.sqlite")).filter(
    (path) => !path.endsWith("metadata.sqlite"),
  );
  expect(others).toEqual([]);
  const database = new DatabaseSync(file);
  const { changes } = database.prepare("UPDATE sessions SET proved = proved - ?").run(15 * 60_000);
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
};
