import type { Attachment } from "../../types/mail.ts";

/** Octets of one row: a row has at most 2 MB. */
const PART = 1_000_000;

/** Stores the attachments of a send. The table deletes them when the send is settled. */
export const storeAttachments = (sql: SqlStorage, send: number, attachments: readonly Attachment[]): void => {
  attachments.forEach(({ filename, contentType, content }, position) => {
    for (let at = 0; at < content.length; at += PART) {
      sql.exec(
        "INSERT INTO send_attachments (send, position, part, filename, content_type, content) VALUES (?, ?, ?, ?, ?, ?)",
        ...[send, position, at / PART, filename, contentType, content.slice(at, at + PART).buffer],
      );
    }
  });
};

/** The attachments of a send in the order of the request. */
export const readAttachments = (sql: SqlStorage, send: number): Attachment[] => {
  const rows = sql
    .exec<{ position: number; filename: string; content_type: string; content: ArrayBuffer }>(
      "SELECT position, filename, content_type, content FROM send_attachments WHERE send = ? ORDER BY position, part",
      send,
    )
    .toArray();
  return [...Map.groupBy(rows, ({ position }) => position).values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const content = new Uint8Array(parts.reduce((size, { content }) => size + content.byteLength, 0));
    parts.forEach(({ content: part }, n) => {
      content.set(new Uint8Array(part), n * PART);
    });
    return [{ filename: first.filename, contentType: first.content_type, content }];
  });
};
