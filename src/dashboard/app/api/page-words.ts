import { MOMENT } from "../../../lib/util/dates.ts";

/** Formats 2026-11-24T20:31:43.686Z, 2026-11-24 20:31:43 UTC and 2026-11-24 20:31 UTC. */
const TIME = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d(?::\d\d)? UTC)/g;
const OF_API = /\b(?:GET|POST|PUT|DELETE) \//;

const localTime = (text: string): string => new Date(text).toLocaleString("en", MOMENT);

/** Converts service text for people: local times, no sentences that name API requests. */
export const pageWords = (text: string): string => {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z])/);
  const said = sentences.filter((sentence) => !OF_API.test(sentence));
  return (said.length > 0 ? said : sentences).join(" ").replaceAll(TIME, localTime);
};
