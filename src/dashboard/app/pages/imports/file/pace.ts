import { counted, lasting } from "../../../parts/ledger/words.ts";

/**
 * How fast something goes and how long it still takes, in words: "1,200 rows a second, 8 s left". Empty before it can be told.
 *
 * @param done since the begin of the measure, in `ms`
 */
export const paceOf = (done: number, ms: number, left: number): string => {
  if (done <= 0 || ms < 500) return "";
  const perSecond = (done * 1_000) / ms;
  return `${counted(Math.max(1, Math.round(perSecond)), "row")} a second, ${lasting((left / perSecond) * 1_000)} left`;
};
