import { numberText } from "../lib/formats.ts";
import type { Retried, Retry, Status } from "./answers.ts";
import { confirm } from "./confirm.ts";
import type { Found } from "./find.ts";
import { retriedText } from "./text.ts";
import type { World } from "./world.ts";

/** Ms. */
const EVERY = 1_000;

const QUESTION = (unknown: number): string =>
  `Some of these people may get it twice, and those who may get no mail any more are left out. Type the number of mails (${numberText(unknown)}) to send them again:`;

const lookedAt = ({ retried, leftOut }: Retry): number =>
  Object.values(leftOut).reduce((sum, mails) => sum + mails, retried);

/** Resends mails with unknown outcome. Ctrl-C ends only the progress. Returns false if not confirmed. */
export const retryUnknown = async (
  world: World,
  found: Found,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<boolean> => {
  const { service, print, progress } = world;
  const status = () => service.admin<Status>("GET", `/${found.id}/status`);
  if (!yes) {
    const unknown = (await status()).progress?.unknown ?? 0;
    if (unknown > 0 && !(await confirm(world, QUESTION(unknown), String(unknown), "--yes"))) return false;
  }
  let { retry } = await service.admin<Retried>("POST", `/${found.id}/retry-unknown`);
  const signal = world.interrupted();
  while (retry !== null && !retry.done && !retry.stopped && !signal.aborted) {
    if (!json) progress(`${numberText(lookedAt(retry))} of ${numberText(retry.unknown)} mails`);
    await world.sleep(EVERY, signal);
    retry = (await status()).retry;
  }
  if (!json) progress("");
  print(json ? JSON.stringify({ id: found.id, retry }, null, 2) : retriedText(found, retry));
  return true;
};
