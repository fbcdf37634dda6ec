import { isLost, wasDoneBefore } from "./client.ts";

/** How long a form may still be there after its act, in ms: a dialog closes, or another page comes. */
const LEAVING_MS = 500;

/**
 * Lets one act through at a time, at once and not after the next drawing. After a success the way stays shut until the form has left, and after a
 * lost answer too, because that act may have been done. After a refusal it is open.
 *
 * @param leaving how long it stays shut, in ms
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
