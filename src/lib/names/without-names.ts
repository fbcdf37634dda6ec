/** Matches addresses, and words with a digit: ids, numbers and times. The version of a path stays ("/v1/lists"). */
const NAMES = /(?<=\/)(v\d+)(?![\w-])|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]*\d[\w-]*(?:[.:][\w-]*\d[\w-]*)*/g;

/** Replaces addresses, ids and numbers of a text. */
export const withoutNames = (text: string): string =>
  text.replaceAll(NAMES, (name, version?: string) => version ?? (name.includes("@") ? "(address)" : "#"));
