/** The result of an attempt: a value, or why another attempt is needed. */
export type Attempted<T> =
  | {
      value: T;
    }
  | {
      /** The failure, as a sentence. */
      again: string;
      /** Ms to wait, if the other side named a time. */
      wait?: number;
    };

/** Most failed attempts. */
const MOST_ATTEMPTS = 8;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** Repeats an attempt until it gives a value. A wait that the other side asked for does not count as a failure. */
export const again = async <T>(
  attempt: () => Promise<Attempted<T>>,
  { sleep, print }: { sleep(ms: number): Promise<void>; print(text: string): void },
): Promise<T> => {
  for (let failures = 0; ; ) {
    const result = await attempt();
    if ("value" in result) return result.value;
    if (result.wait === undefined) failures++;
    if (failures >= MOST_ATTEMPTS) {
      throw new Error(`${result.again} Given up after ${failures} attempts; --resume continues.`);
    }
    const wait = result.wait ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures);
    print(`${result.again} Next attempt in ${Math.ceil(wait / 1000)} s.`);
    await sleep(wait);
  }
};
