import { pictureTypes } from "../../../../lib/picture/picture.ts";

/** Bytes. Same limit as in the email service, checked before upload. */
export const MAX_BYTES = 4_000_000;

export const ACCEPT = pictureTypes.join(",");

const NAMES = pictureTypes.map((type) => type.replace("image/", "").toUpperCase()).join(", ");

export const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;

const number = (n: number): string => n.toLocaleString("en");

/** Why a file is not sent, or undefined. */
export const refusalOf = ({ name, type, size }: Pick<File, "name" | "type" | "size">): string | undefined => {
  if (!(pictureTypes as readonly string[]).includes(type))
    return `${name} is ${type === "" ? "of an unknown type" : type}. Mail programs show ${NAMES}.`;
  if (size === 0) return `${name} is empty.`;
  if (size > MAX_BYTES)
    return `${name} has ${number(size)} bytes, and ${number(MAX_BYTES)} are possible. Make it smaller.`;
  return undefined;
};

export const lmxOf = (url: string): string => `<Image src="${url}" alt="" />`;
