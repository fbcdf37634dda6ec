import type { Attachment } from "../../types/mail-handover.ts";

/** `data`: base64. */
export type GivenAttachment = { filename: string; contentType: string; data: string };

const MAX_ATTACHMENTS = 10;
const MAX_NAME = 255;
/** The request has at most 4 MB, and base64 makes four characters of three octets. */
const MAX_TOTAL = 2_900_000;

/** Gmail refuses these file types, also in archives (support.google.com/mail/answer/6590). */
const BLOCKED = new Set(
  `ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpack dll dmg ex ex_ exe hta img ins iso isp jar jnlp js
   jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll`.split(
    /\s+/,
  ),
);

const BLOCKED_TYPE =
  /^application\/(x-msdownload|x-dosexec|x-msdos-program|x-ms-installer|x-msi|x-bat|hta|java-archive|x-java-archive|javascript|x-javascript|ecmascript|vnd\.microsoft\.portable-executable|vnd\.android\.package-archive|x-apple-diskimage|x-iso9660-image)$|^text\/(javascript|vbscript)$/i;

/** The character U+202E makes `invoice_fdp.exe` look like `invoice_exe.pdf`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const TYPE = /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}(; ?[\w-]{1,40}=[\w.+-]{1,80}){0,5}$/;
/** RFC 2045 section 6.4: such a part must not be in base64. */
const COMPOSITE = /^(multipart|message)\//i;

/** Windows ignores dots and spaces after the extension. */
const extensionOf = (name: string): string => /\.([^.]*)$/.exec(name.replace(/[. ]+$/, "").toLowerCase())?.[1] ?? "";

const nameFault = (name: string): string | undefined => {
  if (name.trim() === "") return "must not be empty";
  if (name.length > MAX_NAME) return `must be at most ${MAX_NAME} characters`;
  if (UNSEEN.test(name)) return "must not have control characters or characters that are not seen";
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return "must be a name without a path";
  const extension = extensionOf(name);
  return BLOCKED.has(extension) ? `must not end in .${extension}: receivers refuse programs and scripts` : undefined;
};

const typeFault = (type: string): string | undefined => {
  if (!TYPE.test(type)) return 'must be a media type such as "application/pdf"';
  if (COMPOSITE.test(type)) return 'must not be a type of messages. Use "application/octet-stream"';
  const [bare = ""] = type.split(";");
  return BLOCKED_TYPE.test(bare) ? "must not be a type of programs or scripts: receivers refuse them" : undefined;
};

const decode = (data: string): Uint8Array | undefined => {
  if (data.length % 4 !== 0 || /\s/.test(data)) return undefined;
  try {
    return Uint8Array.fromBase64(data, { lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
};

type Fault = { path: string; message: string };

/** Decodes attachments or returns the first fault with a path such as "attachments.0.data". */
export const decodeAttachments = (
  given: readonly GivenAttachment[],
): { attachments: Attachment[] } | { fault: Fault } => {
  const fault = (path: string, message: string) => ({ fault: { path, message: `${path}: ${message}.` } });
  if (given.length > MAX_ATTACHMENTS) {
    return fault("attachments", `there are ${given.length}, and a mail has at most ${MAX_ATTACHMENTS}`);
  }
  const attachments: Attachment[] = [];
  for (const [n, { filename, contentType, data }] of given.entries()) {
    const path = `attachments.${n}`;
    const wrongName = nameFault(filename);
    if (wrongName !== undefined) return fault(`${path}.filename`, wrongName);
    const wrongType = typeFault(contentType);
    if (wrongType !== undefined) return fault(`${path}.contentType`, wrongType);
    const content = decode(data);
    if (content === undefined) return fault(`${path}.data`, "must be base64, with padding and without line breaks");
    if (content.length === 0) return fault(`${path}.data`, "must not be empty");
    attachments.push({ filename, contentType, content });
  }
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return total <= MAX_TOTAL
    ? { attachments }
    : fault("attachments", `they have ${total} bytes together, and a mail has at most ${MAX_TOTAL}`);
};

/** A row has at most 2 MB. */
const PART = 1_000_000;

/** Stores attachments; the table deletes them when the send is settled. */
export const storeAttachments = (sql: SqlStorage, send: number, attachments: readonly Attachment[]): void => {
  attachments.forEach(({ filename, contentType, content }, position) => {
    for (let at = 0; at < content.length; at += PART) {
      sql.exec(
        "INSERT INTO send_attachments (send, position, part, filename, content_type, content) VALUES (?, ?, ?, ?, ?, ?)",
        send,
        position,
        at / PART,
        filename,
        contentType,
        content.slice(at, at + PART).buffer,
      );
    }
  });
};

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
