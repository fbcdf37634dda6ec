import { constants, openAsBlob } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Opens a CSV file. Throws if unreadable. */
export const open = async (path: string): Promise<Blob> => {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) throw new Error(`${path} is a folder. Name the CSV file in it.`);
  try {
    await access(path, constants.R_OK);
    return await openAsBlob(path, { type: "text/csv" });
  } catch {
    throw new Error(`The file ${path} cannot be read. ${stats ? "May you read it?" : "There is no such file."}`);
  }
};

/** Throws if no file can be written there. Writes nothing. */
export const checkOutcome = async (path: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined);
  const isWritable = await access(stats ? path : dirname(path), constants.W_OK).then(
    () => stats === undefined || stats.isFile(),
    () => false,
  );
  if (!isWritable)
    throw new Error(
      `The outcome file ${path} cannot be written, so nothing was imported. --outcome FILE names another one.`,
    );
};
