import { addressOf } from "./client-address.ts";
import type { Entry } from "./entries.ts";

/** The dashboard's headers to the other Workers. They count only with ADMIN_TOKEN. */
const ACTOR = "X-Mailspan-Actor";
const ACTOR_ADDRESS = "X-Mailspan-Actor-Address";

const LENGTH = 320;

const headerOf = (request: Request, name: string): string | undefined => {
  const given = (request.headers.get(name) ?? "")
    // Removes controls, and marks that change text direction.
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return given.slice(0, LENGTH).toWellFormed() || undefined;
};

/** Returns the acting person, if the dashboard names one. Only for requests with ADMIN_TOKEN. */
export const actorOf = (request: Request): string | undefined => headerOf(request, ACTOR);

export type Acting = Pick<Entry, "who" | "from">;

/** Returns who acts, and from which address. Without the dashboard's headers it is "token". Only for requests with ADMIN_TOKEN. */
export const actingOf = (request: Request): Acting => ({
  who: actorOf(request) ?? "token",
  from: headerOf(request, ACTOR_ADDRESS) ?? addressOf(request),
});

/** Returns the headers that tell another Worker who acts. */
export const actorHeaders = ({ who, from }: Acting): Record<string, string> => ({
  [ACTOR]: who,
  [ACTOR_ADDRESS]: from,
});
