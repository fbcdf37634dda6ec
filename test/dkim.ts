import { createHash, createPublicKey, verify } from "node:crypto";

export const signatureField = (message: string): string => message.split(/\r\n(?![ \t])/)[0] ?? "";

export const tagsOf = (message: string): Record<string, string> =>
  Object.fromEntries(
    signatureField(message)
      .slice("DKIM-Signature:".length)
      .split(";")
      .map((tag) => {
        const at = tag.indexOf("=");
        return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, "")];
      }),
  );

/**
 * Verifies the signature at the beginning of a message by RFC 6376. It shares no code with the signer.
 *
 * @param message in latin1
 * @param key `p=` of the DNS record
 */
export const isValidDkim = (message: string, key: string): boolean => {
  const tags = tagsOf(message);
  const end = message.indexOf("\r\n\r\n");
  const content = message
    .slice(end + 4)
    .split("\r\n")
    .map((one) => one.replace(/[ \t]+/g, " ").replace(/ $/, ""))
    .join("\r\n")
    .replace(/(\r\n)*$/, "");
  const hash = createHash("sha256")
    .update(content === "" ? "" : `${content}\r\n`, "latin1")
    .digest("base64");
  const [own = "", ...others] = message.slice(0, end).split(/\r\n(?![ \t])/);
  const relaxed = (field: string) => {
    const [, name = "", value = ""] = /^([^:]+?)[ \t]*:([\s\S]*)$/.exec(field) ?? [];
    return `${name.toLowerCase()}:${value
      .replace(/\r\n/g, "")
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  };
  const left = [...others];
  const fields = (tags.h ?? "").split(":").flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : left.splice(at, 1).map(relaxed);
  });
  const data = [...fields, relaxed(own.replace(/([;\s]b=)[\s\S]*$/, "$1"))].join("\r\n");
  const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
  return (
    hash === tags.bh && verify("sha256", Buffer.from(data, "latin1"), publicKey, Buffer.from(tags.b ?? "", "base64"))
  );
};
