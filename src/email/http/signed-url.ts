import { isTag, keyFor, tag } from "../../lib/seal.ts";

const PURPOSE = "upload address";

type Upload = { team: string; id: string };

/** Clients may sort, add or encode parameters, so the values are signed and not the URL. No value has a line end. */
const valuesOf = ({ team, id }: Upload, query: URLSearchParams): string =>
  [team, id, ...["type", "size", "expires"].map((name) => query.get(name) ?? "")].join("\n");

/** Adds a signature to an address with the parameters `type`, `size` and `expires`. */
export const signUrl = async (url: string, upload: Upload, secret: string): Promise<string> =>
  `${url}&signature=${await tag(await keyFor(secret, PURPOSE), valuesOf(upload, new URL(url).searchParams))}`;

/** Returns the verified parameters of a signed address; undefined otherwise. */
export const readSignedUrl = async (
  url: string,
  upload: Upload,
  secret: string,
): Promise<{ type: string; size: number; expires: number } | undefined> => {
  const query = new URL(url).searchParams;
  const signature = query.get("signature") ?? "";
  if (!(await isTag(await keyFor(secret, PURPOSE), valuesOf(upload, query), signature))) return undefined;
  return { type: query.get("type") ?? "", size: Number(query.get("size")), expires: Number(query.get("expires")) };
};
