import { numberText } from "../lib/formats.ts";
import { Refused } from "../lib/team-service.ts";
import type { Changed } from "./answers.ts";
import { confirm } from "./confirm.ts";
import type { Found } from "./find.ts";
import type { World } from "./world.ts";

/** Resumes a campaign. Asks again if recipients increased. Returns undefined if not confirmed. */
export const resume = async (
  world: World,
  { id, name }: Found,
  { json, expected }: { json: boolean; expected: number | undefined },
): Promise<Changed | undefined> => {
  const post = (number?: number) =>
    world.service.admin<Changed>("POST", `/${id}/resume`, ...(number === undefined ? [] : [{ expected: number }]));
  try {
    return await post(expected);
  } catch (error) {
    const isAsked = error instanceof Refused && error.code === "audience_changed" && !json && expected === undefined;
    if (!isAsked) throw error;
    const { recipients, confirmed } = error.body as { recipients: number; confirmed: number };
    const question = `${name} has ${numberText(recipients)} recipients now, and ${numberText(confirmed)} were confirmed. Type the number of recipients (${numberText(recipients)}) to send it to all of them:`;
    const isConfirmed = await confirm(world, question, String(recipients), `--expected ${recipients}`);
    return isConfirmed ? post(recipients) : undefined;
  }
};
