import { MAX_DRAINED } from "../../../lib/contract/body.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import { createBatches, type RowBatch } from "../../../lib/imports/batches.ts";
import { addedTally, type ColumnTally, tallyOf } from "../../../lib/imports/consent/tally.ts";
import type { Encoding } from "../../../lib/imports/decode.ts";
import type { Delimiter } from "../../../lib/imports/delimiter.ts";
import { headOf } from "../../../lib/imports/head.ts";
import { PREVIEW } from "../../../lib/imports/preview.ts";
import { type CsvRecord, type Form, readRecords } from "../../../lib/imports/records.ts";
import type { UploadStep } from "../../types/upload-step.ts";

/** Bytes; Cloudflare's request limit. */
const MAX_FILE = 100_000_000;

/** Ms. The answer to a request must come within 30 s: https://developers.cloudflare.com/workers/platform/limits/ */
const PATIENCE_MS = 25_000;
/** Batches of one call: about 25 calls for a file. */
const BATCHES_AT_ONCE = { count: 1_000, characters: 4_000_000 };

type Asked = { name: string; encoding?: Encoding | undefined; delimiter?: Delimiter | undefined };
type Take = (step: UploadStep) => Promise<Reply>;

const tooLarge: Refusal = {
  code: "body_too_large",
  message: `A file may have at most ${MAX_FILE / 1e6} MB. Split it, with the names of the columns in the first row of each part.`,
};

const tooSlow: Refusal = {
  code: "body_too_large",
  message: `The file did not arrive within ${PATIENCE_MS / 1_000} s. Split it, with the names of the columns in the first row of each part.`,
};

const invalid = (message: string): Reply => ({ refusal: { code: "invalid_csv", message } });

/** Streams CSV rows to the team's object. An unreadable file leaves no import. */
export const receiveRows = async (
  request: Request,
  asked: Asked,
  take: Take,
  now: () => number = Date.now,
): Promise<Reply> => {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_FILE) return { refusal: tooLarge };
  const body = counted(request.body, MAX_FILE);
  const file = createFile(asked.name, take);
  const until = now() + PATIENCE_MS;
  let reply: Reply | undefined;
  try {
    for await (const piece of readRecords(body.bytes, asked)) {
      reply = "problem" in piece ? invalid(piece.problem) : await file.add(piece.form, piece.records);
      if (now() > until) reply ??= { refusal: tooSlow };
      if (reply) break;
    }
    reply ??= body.isOver() ? { refusal: tooLarge } : await file.end();
    return reply;
  } finally {
    if (!reply || "refusal" in reply) await file.drop();
    // A client that is disconnected while it sends sees no answer.
    await body.drain();
  }
};

const counted = (stream: ReadableStream<Uint8Array> | null, limit: number) => {
  const reader = stream?.getReader();
  let size = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { value } = (await reader?.read()) ?? {};
    size += value?.byteLength ?? 0;
    return value;
  };
  async function* bytes() {
    for (let chunk = await next(); chunk && size <= limit; chunk = await next()) yield chunk;
  }
  return {
    bytes: bytes(),
    isOver: () => size > limit,
    async drain(): Promise<void> {
      const end = size + MAX_DRAINED;
      try {
        while (size < end && (await next()));
        await reader?.cancel();
      } catch {
        // The client is gone.
      }
    },
  };
};

const createFile = (name: string, take: Take) => {
  const batches = createBatches();
  const full: RowBatch[] = [];
  let head: CsvRecord[] = [];
  let form: Form | undefined;
  let importId: string | undefined;
  let columns: readonly string[] = [];
  let counted: ColumnTally[] | undefined;

  const begin = async (): Promise<Reply | undefined> => {
    const read = headOf(head);
    if ("problem" in read || !form) return invalid("problem" in read ? read.problem : "The file is empty.");
    const { preview, rows } = read;
    const reply = await take({ step: "begin", name, form, columns: read.columns, preview });
    if ("refusal" in reply) return reply;
    importId = (reply.body as { id: string }).id;
    head = [];
    columns = read.columns;
    return store(rows);
  };

  /** Sends full batches by few calls: an event has a limit of them. */
  const store = async (records: readonly CsvRecord[], isLast = false): Promise<Reply | undefined> => {
    counted = addedTally(counted, tallyOf(columns, records));
    full.push(...batches.add(records), ...(isLast ? batches.close() : []));
    const isEnough = isLast || full.length >= BATCHES_AT_ONCE.count || charactersOf(full) >= BATCHES_AT_ONCE.characters;
    if (!isEnough || full.length === 0 || importId === undefined) return undefined;
    const reply = await take({ step: "add", importId, batches: full.splice(0) });
    return "refusal" in reply ? reply : undefined;
  };

  return {
    async add(as: Form, records: CsvRecord[]): Promise<Reply | undefined> {
      form = as;
      if (importId !== undefined) return store(records);
      head.push(...records);
      return head.length > PREVIEW ? begin() : undefined;
    },
    async end(): Promise<Reply> {
      const refused = (importId === undefined ? await begin() : undefined) ?? (await store([], true));
      if (refused) return refused;
      return take({ step: "end", importId: importId ?? "", rows: batches.total(), counted: counted ?? [] });
    },
    async drop(): Promise<void> {
      if (importId !== undefined) await take({ step: "drop", importId });
    },
  };
};

const charactersOf = (batches: readonly RowBatch[]): number =>
  batches.reduce(
    (sum, { rows }) =>
      sum + rows.reduce((all, { cells }) => all + cells.reduce((own, cell) => own + cell.length, 0), 0),
    0,
  );
