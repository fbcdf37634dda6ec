import type { Webhook } from "../../parts/ledger/types.ts";
import type { Part } from "../../parts/scan.ts";

type Read = (request: { since?: string; until?: string; cursor?: string; limit: string }) => Promise<Part<Webhook>>;

/** The next older search result. A cursor is a webhook id without prefix. */
export const olderThan = async ({ id }: Pick<Webhook, "id">, read: Read): Promise<string | undefined> => {
  let cursor: string | null = id.slice("wh_".length);
  while (cursor !== null) {
    const { data, next }: Part<Webhook> = await read({ cursor, limit: "1" });
    if (data[0]) return data[0].id;
    cursor = next;
  }
  return undefined;
};

/** Milliseconds. Results are newest first, so the search starts with short spans. */
const REACHES = [60_000, 3_600_000, 86_400_000, 7 * 86_400_000, 90 * 86_400_000];

/** The next newer search result. */
export const newerThan = async (
  { id, acceptedAt }: Pick<Webhook, "id" | "acceptedAt">,
  read: Read,
): Promise<string | undefined> => {
  for (const reach of REACHES) {
    let newer: string | undefined;
    let cursor: string | null | undefined;
    const until = new Date(Date.parse(acceptedAt) + reach).toISOString();
    do {
      const request = { since: acceptedAt, until, limit: "100", ...(cursor ? { cursor } : {}) };
      const { data, next }: Part<Webhook> = await read(request);
      const at = data.findIndex((webhook) => webhook.id === id);
      newer = (at < 0 ? data : data.slice(0, at)).at(-1)?.id ?? newer;
      cursor = at < 0 ? next : null;
    } while (cursor !== null);
    if (newer !== undefined) return newer;
  }
  return undefined;
};
