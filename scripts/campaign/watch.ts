import { Refused } from "../lib/team-service.ts";
import type { Status } from "./answers.ts";
import { endText, progressText } from "./progress.ts";
import type { World } from "./world.ts";

/** Time between two looks, in ms. */
const EVERY = 1_000;
/** Looks in a row that may fail, for example while the email service starts again. */
const MAX_FAILURES = 30;

/**
 * Shows the progress of a campaign until it has ended. Ctrl-C ends the watching only.
 *
 * @param id of the campaign
 * @returns false where the campaign was cancelled, or is a draft
 */
export const watch = async (world: World, id: string, { json }: { json: boolean }): Promise<boolean> => {
  const signal = world.interrupted();
  const say = (text: string) => {
    world.progress("");
    if (!json) world.print(text);
  };
  let reasons = "";
  let isStopped = false;
  for (let failures = 0; !signal.aborted; await world.sleep(EVERY, signal)) {
    const status = await look(world, id).catch((error: Error) => {
      failures += 1;
      if (error instanceof Refused || failures >= MAX_FAILURES)
        throw new Error(`${error.message} Only the watching has ended: the campaign does not need it.`);
      return undefined;
    });
    if (!status) continue;
    failures = 0;
    if (json) world.print(JSON.stringify(status));
    if (status.status === "Draft" || status.status === "Sent") {
      say(endText(status));
      return status.delivery?.state === "done";
    }
    if (!json) world.progress(progressText(status, world.now()));
    const waiting = status.waiting.map(({ message }) => message).join(" ");
    if (waiting !== "" && waiting !== reasons) say(waiting);
    reasons = waiting;
    isStopped = status.delivery?.state === "paused" || status.delivery?.state === "held";
  }
  say(
    isStopped
      ? `The campaign waits for a person. npm run campaign -- resume ${id} resumes it, -- watch ${id} shows it again.`
      : `The campaign goes on. npm run campaign -- pause ${id} pauses it, -- watch ${id} shows it again.`,
  );
  return true;
};

const look = ({ service }: World, id: string): Promise<Status> => service.admin<Status>("GET", `/${id}/status`);
