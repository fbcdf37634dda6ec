/** What a try came to: a value, or why not and whether another try may help. */
export type Try<T> = { value: T } | { again: string /** Ms to wait, where somebody said so. */; wait?: number };

/** Tries in a row that fail before it is given up. */
const MOST_TRIES = 8;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** Tries until there is a value. Waiting that was asked for does not count as a failure. */
export const again = async <T>(
  attempt: () => Promise<Try<T>>,
  { sleep, tell }: { sleep(ms: number): Promise<void>; tell(text: string): void },
): Promise<T> => {
  for (let failures = 0; ; ) {
    const came = await attempt();
    if ("value" in came) return came.value;
    if (came.wait === undefined) failures++;
    if (failures >= MOST_TRIES) throw new Error(`${came.again} Given up after ${failures} tries; --resume goes on.`);
    const wait = came.wait ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
    tell(`${came.again} Again in ${Math.ceil(wait / 1000)} s.`);
    await sleep(wait);
  }
};
