import PostalMime from "postal-mime";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** Header (one line for each field) and body of an entity (RFC 2045). */
const entityOf = (raw: string): { header: string; body: string } => {
  const at = raw.indexOf("\r\n\r\n");
  return { header: raw.slice(0, at).replace(/\r\n[ \t]+/g, " "), body: raw.slice(at + 4) };
};

const DECODERS: Readonly<Record<string, (body: string) => Buffer>> = {
  "7bit": (body) => Buffer.from(body, "latin1"),
  base64: (body) => Buffer.from(body, "base64"),
  "quoted-printable": (body) => {
    const joined = body.replace(/=\r\n/g, "");
    return Buffer.from(
      joined.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
  },
};

const textsIn = (raw: string): Record<string, string> => {
  const { header, body } = entityOf(raw);
  const boundary = /^Content-Type: multipart\/[^\r]*boundary="([^"]+)"/im.exec(header)?.[1];
  if (boundary !== undefined) {
    // The line break before a boundary belongs to the boundary (RFC 2046 section 5.1.1).
    const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
    return Object.assign({}, ...parts.map((part) => textsIn(part.replace(/^\r\n/, ""))));
  }
  const type = /^Content-Type: ([\w/]+)/im.exec(header)?.[1] ?? "";
  const decode = DECODERS[/^Content-Transfer-Encoding: ([\w-]+)/im.exec(header)?.[1] ?? ""];
  if (!decode) throw new Error(`A part of a mail has no known encoding: ${header}`);
  return { [type]: decode(body).toString("utf8").replaceAll("\r\n", "\n") };
};

/** Subject and content of a mail, exact to the last line break. Throws if postal-mime reads another content. */
export const readMail = async (raw: Uint8Array): Promise<{ subject: string; html: string; text: string }> => {
  const { "text/html": html = "", "text/plain": text = "" } = textsIn(latin1(raw));
  const parsed = await PostalMime.parse(raw);
  const same = (one: string, other = ""): boolean => one.trimEnd() === other.replaceAll("\r\n", "\n").trimEnd();
  if (!same(html, parsed.html) || !same(text, parsed.text)) throw new Error("postal-mime reads another content.");
  return { subject: parsed.subject ?? "", html, text };
};

/** Links that the service adds to a marketing mail for its recipient. */
export type Replaced = {
  links: { tracked: string; address: string }[];
  own: string[];
  pictures: string[];
};

const PICTURE = '" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0;">\n';

const exactly = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * The content of a mail without tracking: a tracked link is its target, a recipient's link is "#", no open picture.
 * `publicUrl`: of the email service.
 */
export const untracked = (
  { html, text }: { html: string; text: string },
  publicUrl: string,
): { html: string; text: string; replaced: Replaced } => {
  const replaced: Replaced = { links: [], own: [], pictures: [] };
  const site = exactly(publicUrl);
  const withoutOwn = (part: string): string =>
    part.replace(new RegExp(`${site}/[up]/[\\w-]+`, "g"), (url) => {
      replaced.own.push(url);
      return "#";
    });
  const plain = html
    .replace(new RegExp(`(<(?:a|v:roundrect) [^>]*?href=")(${site}/t/c/[\\w.-]+)(?=")`, "g"), (_, before, tracked) => {
      const address = Buffer.from(tracked.split(".").at(-1), "base64url").toString();
      replaced.links.push({ tracked, address });
      return before + address.replaceAll("&", "&amp;");
    })
    .replace(new RegExp(`<img src="(${site}/t/o/[\\w-]+)${exactly(PICTURE)}(?=</body>)`, "g"), (_, picture) => {
      replaced.pictures.push(picture);
      return "";
    });
  return { html: withoutOwn(plain), text: withoutOwn(text), replaced };
};
