import { lasting } from "../../../parts/ledger/words.ts";

const numberText = (number: number): string => number.toLocaleString("en", { maximumFractionDigits: 0 });

/**
 * How fast something goes and how long it still takes, in words: "1,200 rows a second, 8 s left". Empty before it can be told.
 *
 * @param done since the begin of the measure, in `ms`
 */
export const paceOf = (done: number, ms: number, left: number): string => {
  if (done <= 0 || ms < 500) return "";
  const perSecond = (done * 1_000) / ms;
  return `${numberText(Math.max(1, perSecond))} rows a second, ${lasting((left / perSecond) * 1_000)} left`;
};
