export type Attempted<T> =
  | {
      value: T;
    }
  | {
      again: string;
      /** Ms. */
      wait?: number;
    };

const MOST_ATTEMPTS = 8;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** A requested wait is not counted as a failure. */
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
