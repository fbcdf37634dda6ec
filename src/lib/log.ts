/** Writes one JSON line. Never pass a body, a secret or an API key. */
export const log = (
  event: string,
  fields: Readonly<Record<string, string | number | boolean | null | undefined>> = {},
): void => {
  console.log(JSON.stringify({ event, ...fields }));
};
