/**
 * Returns PUBLIC_URL without a final slash; undefined if unusable. It must be https without a path, or http for a
 * local name.
 */
export const publicUrlOf = ({ PUBLIC_URL = "" }: { PUBLIC_URL?: string | undefined }): string | undefined => {
  const url = URL.parse(PUBLIC_URL);
  if (url === null || url.href !== `${url.origin}/`) return undefined;
  const isLocal = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal) ? url.origin : undefined;
};
