/** One year, for this host alone: names below a custom domain belong to others. */
const VALUE = "max-age=31536000";

/** The part of Hono's context that is used here. */
type Answering = { req: { url: string }; header(name: string, value: string): void };

/** Adds the header to the answer to an https URL. */
export const strictTransport = (url: string, answer: Response): Response => {
  if (url.startsWith("https:")) answer.headers.set("Strict-Transport-Security", VALUE);
  return answer;
};

/** Tells browsers that came by https never to use http for this host (RFC 6797). */
export const httpsOnly = async (c: Answering, next: () => Promise<void>): Promise<void> => {
  await next();
  if (c.req.url.startsWith("https:")) c.header("Strict-Transport-Security", VALUE);
};
