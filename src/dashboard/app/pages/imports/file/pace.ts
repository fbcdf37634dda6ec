import { counted, lasting } from "../../../parts/ledger/ledger-words.ts";

/**
 * Speed and time left: "1,200 rows a second, 8 s left". Empty when unknown.
 *
 * @param done items since the start of the measurement, `ms` ago
 */
export const paceOf = (done: number, ms: number, left: number): string => {
  if (done <= 0 || ms < 500) return "";
  const perSecond = (done * 1_000) / ms;
  return `${counted(Math.max(1, Math.round(perSecond)), "row")} a second, ${lasting((left / perSecond) * 1_000)} left`;
};
