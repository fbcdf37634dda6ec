import { Refused } from "../lib/team-service.ts";
import type { Status } from "./answers.ts";
import { endText, progressText } from "./progress.ts";
import type { World } from "./world.ts";

/** Ms. */
const EVERY = 1_000;
/** Ms. A send limit makes a reason come and go each second. */
const DROPPED_AFTER = 60_000;
/** The email service may restart meanwhile. */
const MAX_FAILURES = 30;

/** Shows progress to the end. Returns false for a canceled campaign or a draft. */
export const watch = async (world: World, id: string, { json }: { json: boolean }): Promise<boolean> => {
  const signal = world.interrupted();
  const say = (text: string) => {
    world.progress("");
    if (!json) world.print(text);
  };
  const newReasons = rememberReasons();
  let state: string | undefined;
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
    if (isOver(status)) {
      say(endText(status));
      return status.progress?.state === "done";
    }
    if (!json) world.progress(progressText(status, world.now()));
    for (const message of newReasons(status, world.now())) say(message);
    state = status.progress?.state;
  }
  say(`${goesOn(id, state)} -- watch ${id} shows it again.`);
  return true;
};

const goesOn = (id: string, state: string | undefined): string => {
  if (state === "cancelled") return "It goes on being cancelled. npm run campaign";
  return state === "paused" || state === "held"
    ? `The campaign waits for a person. npm run campaign -- resume ${id} resumes it,`
    : `The campaign goes on. npm run campaign -- pause ${id} pauses it,`;
};

/** A canceled campaign is `Sent` before all its recipients are counted. */
const isOver = ({ status, progress }: Status): boolean =>
  status === "Draft" || (status === "Sent" && (progress?.finishedAt ?? null) !== null);

/** Times, counts and ids make no new reason. */
const rememberReasons = () => {
  const seen = new Map<string, number>();
  return ({ waiting }: Status, now: number): string[] =>
    waiting.flatMap(({ code, message }) => {
      const kind = `${code} ${message.replaceAll(/\S*\d\S*/g, "#")}`;
      const isKnown = now - (seen.get(kind) ?? Number.NEGATIVE_INFINITY) < DROPPED_AFTER;
      seen.set(kind, now);
      return isKnown ? [] : [message];
    });
};

const look = ({ service }: World, id: string): Promise<Status> => service.admin<Status>("GET", `/${id}/status`);
