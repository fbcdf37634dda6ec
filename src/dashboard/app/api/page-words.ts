/** Times of the service, as 2026-11-24T20:31:43.686Z, 2026-11-24 20:31:43 UTC or 2026-11-24 20:31 UTC. */
const TIME = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d(?::\d\d)? UTC)/g;
/** A sentence that names a request is for programs. */
const OF_API = /\b(?:GET|POST|PUT|DELETE) \//;

const localTime = (text: string): string =>
  new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A text of the service for a person: times are those of the browser's zone, and sentences that name a request of the API are left out. */
export const pageWords = (text: string): string => {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z])/);
  const said = sentences.filter((sentence) => !OF_API.test(sentence));
  // One sentence that is all there is stays.
  return (said.length > 0 ? said : sentences).join(" ").replaceAll(TIME, localTime);
};
