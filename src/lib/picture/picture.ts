import type { Found } from "./bytes.ts";
import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import { readPng } from "./png.ts";
import { readWebp } from "./webp.ts";

const formats = {
  "image/jpeg": { name: "JPEG", extension: "jpg", read: readJpeg },
  "image/png": { name: "PNG", extension: "png", read: readPng },
  "image/gif": { name: "GIF", extension: "gif", read: readGif },
  "image/webp": { name: "WebP", extension: "webp", read: readWebp },
} as const satisfies Record<
  string,
  { name: string; extension: string; read: (bytes: Uint8Array) => Found | undefined }
>;

export type PictureType = keyof typeof formats;
export const pictureTypes = Object.keys(formats) as PictureType[];

export const isPictureType = (type: string): type is PictureType => Object.hasOwn(formats, type);

/** The file extension, without a dot. */
export const extensionOf = (type: PictureType): string => formats[type].extension;

/** A file of a few bytes can claim a picture that takes gigabytes to show. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 40_000_000;
/** A progressive JPEG has about ten. */
const MAX_SCANS = 100;
/** Pixels of a picture times its frames. */
const MAX_ANIMATED = 400_000_000;

const sizeProblem = ({ width, height, frames, scans = 0 }: Found): string | undefined => {
  const size = `${width} × ${height} pixels`;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    return `The picture has ${size}: at most ${MAX_SIDE} a side and ${MAX_PIXELS} in all, because mail clients have to decode it.`;
  if (scans > MAX_SCANS)
    return `The picture has ${scans} scans: at most ${MAX_SCANS}, because mail clients decode all pixels in each of them.`;
  if (!frames) return undefined;
  if (frames.right > width || frames.bottom > height)
    return `The picture has ${size}, and a frame in it reaches to ${frames.right} × ${frames.bottom}: save it with frames inside the picture.`;
  if (frames.count * width * height > MAX_ANIMATED)
    return `The picture has ${frames.count} frames of ${size}: at most ${MAX_ANIMATED} pixels in all frames, because mail clients have to decode them.`;
  return undefined;
};

const HEAD = 1024;
const MARKUP = /<(!doctype|html|head|body|script|svg|iframe)/i;

const hasMarkup = (bytes: Uint8Array, end: number): boolean => {
  const decoder = new TextDecoder("latin1");
  return [bytes.subarray(0, HEAD), bytes.subarray(end)].some((part) => MARKUP.test(decoder.decode(part)));
};

/**
 * Reads the pixel size, or the reason of a failure; never throws. Pixels are not decoded. Cameras write bytes after
 * the end, so they are accepted unless they are markup.
 */
export const readPicture = (
  type: PictureType,
  bytes: Uint8Array,
): { width: number; height: number } | { problem: string } => {
  const { name, read } = formats[type];
  const found = read(bytes);
  if (found && hasMarkup(bytes, found.end)) return { problem: "The file has markup such as <script> or <svg> in it." };
  const problem = found && sizeProblem(found);
  if (problem !== undefined) return { problem };
  if (found) return { width: found.width, height: found.height };
  const other = pictureTypes.find((pictureType) => formats[pictureType].read(bytes));
  return { problem: other ? `The file is ${other}, not ${type}.` : `The file is not a complete ${name} picture.` };
};
