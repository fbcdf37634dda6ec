import type { Refusal } from "../../../lib/contract/errors.ts";
import { isMachineFull, machineFull, NO_ROOM } from "../../../lib/util/full-disk.ts";
import type { Attachment } from "../../types/mail-handover.ts";
import type { Context } from "./context.ts";

/** The database limit of an object in bytes: https://developers.cloudflare.com/durable-objects/platform/limits/ */
const OBJECT_BYTES = 10_000_000_000;

/** Bytes that a team's database may have, from MAX_TEAM_MB: 10 GB by default and at most. */
export const maxBytesOf = ({ MAX_TEAM_MB }: { MAX_TEAM_MB?: string | number }): number => {
  const bytes = Number(MAX_TEAM_MB) * 1_000_000;
  return bytes > 0 ? Math.min(bytes, OBJECT_BYTES) : OBJECT_BYTES;
};

/** Shares of the limit at which each state begins, largest first. */
const STATES = [
  { state: "full", from: 0.95 },
  { state: "no_campaigns", from: 0.85 },
  { state: "filling", from: 0.7 },
  { state: "ok", from: 0 },
] as const;

/** `bytes` leaves out free pages, which new rows take. */
export type TeamSize = { bytes: number; limitBytes: number; state: (typeof STATES)[number]["state"] };

type Sized = Pick<Context, "sql" | "maxBytes" | "noRoom">;

/** Returns the size of a team's database, and what its state still permits. Health, alerts and refusals use it. */
export const sizeOf = ({ sql, maxBytes = OBJECT_BYTES }: Sized): TeamSize => {
  const bytes = sql.databaseSize;
  const { state } = STATES.find(({ from }) => bytes >= from * maxBytes) ?? { state: "ok" as const };
  return { bytes, limitBytes: maxBytes, state };
};

/** True if only transactional mail, unsubscribes, bounces and deletions may write. */
export const isFull = (sized: Sized): boolean =>
  isMachineFull() || sized.noRoom === true || sizeOf(sized).state === "full";

/** Share of the limit that attachments leave free: for plain mail, unsubscribes and bounces, while no mail leaves. A guess. */
const ATTACHMENTS_TO = 0.97;

const inWords = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;

const words = ({ bytes, limitBytes }: TeamSize): string =>
  `The data of the team uses ${inWords(bytes)} of ${inWords(limitBytes)}`;

const FREE = "Delete contacts that are not needed";
const DISK_FULL = "The disk of this machine is full, so no campaign starts. Free the disk.";

/** A sentence about a database that fills; undefined below 70 %. */
export const sizeWarning = (size: TeamSize): string | undefined =>
  ({
    ok: undefined,
    filling: `${words(size)}. From 85 %, no campaign starts. ${FREE}.`,
    no_campaigns: `${words(size)}, so no campaign starts. From 95 %, only transactional mail, unsubscribes, bounces and deletions pass. ${FREE}.`,
    full: `${words(size)}, so only transactional mail, unsubscribes, bounces and deletions pass. ${FREE}.`,
  })[size.state];

/** Returns the shares that a team's database has reached, in percent, with their warnings. */
export const reachedShares = (sized: Sized): { percent: number; text: string }[] => {
  const size = sizeOf(sized);
  return STATES.filter(({ from }) => from > 0 && size.bytes >= from * size.limitBytes).map(({ state, from }) => ({
    percent: Math.round(from * 100),
    text: sizeWarning({ ...size, state }) ?? "",
  }));
};

/** The refusal of what would let a full database grow. */
export const storageFull = (sized: Sized): Refusal => {
  if (isMachineFull()) return machineFull();
  if (sized.noRoom) return NO_ROOM;
  return { ...NO_ROOM, message: `${sizeWarning({ ...sizeOf(sized), state: "full" })} Then send this again.` };
};

/** The refusal of attachments that would use up the reserve of a full database; undefined if they have room. */
export const attachmentsFull = (sized: Sized, attachments: readonly Attachment[]): Refusal | undefined => {
  const size = sizeOf(sized);
  const added = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (added > 0 && isMachineFull()) return { ...machineFull(), path: "attachments" };
  if (added === 0 || size.bytes + added < ATTACHMENTS_TO * size.limitBytes) return undefined;
  const message = `${words(size)}, so there is no room for these attachments. Send the mail without them, or first delete contacts that are not needed.`;
  return { ...NO_ROOM, path: "attachments", message };
};

/** The obstacle of a campaign that may not start. */
export const campaignObstacles = (sized: Sized): { code: string; message: string }[] => {
  if (isMachineFull()) return [{ code: NO_ROOM.code, message: DISK_FULL }];
  const size = sizeOf(sized);
  const starts = size.state === "ok" || size.state === "filling";
  return starts ? [] : [{ code: "storage_full", message: sizeWarning(size) ?? "" }];
};

const reasonToWait = (sized: Sized): string | undefined => {
  if (isMachineFull()) return DISK_FULL;
  return sized.noRoom ? "The database has no room for a write." : sizeWarning({ ...sizeOf(sized), state: "full" });
};

/** Why the campaigns, workflows and imports of a team wait for room, if they do. */
export const waitForRoom = (sized: Sized): { code: string; message: string }[] =>
  isFull(sized)
    ? [
        {
          code: NO_ROOM.code,
          message: `${reasonToWait(sized)} Campaigns, workflows and imports go on within 10 minutes after there is room.`,
        },
      ]
    : [];
