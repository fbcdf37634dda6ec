import { isLost, wasDoneBefore } from "./client.ts";

/** Milliseconds a form may stay visible after its action. */
const LEAVING_MS = 500;

/**
 * Allows one action at a time, without waiting for a render. It stays blocked after a success or a lost answer.
 *
 * @param leaving milliseconds to stay blocked
 */
export const once = <T>(leaving: number = LEAVING_MS): ((act: () => Promise<T>) => Promise<T>) => {
  let running: Promise<T> | undefined;
  const open = () => {
    running = undefined;
  };
  const openLater = () => (leaving === 0 ? open() : void setTimeout(open, leaving));
  return (act) => {
    if (running) return running;
    running = act();
    running.then(openLater, (error: unknown) => (isLost(error) || wasDoneBefore(error) ? openLater() : open()));
    return running;
  };
};
