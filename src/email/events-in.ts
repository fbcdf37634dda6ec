import { log } from "../lib/util/log.ts";
import { callObject } from "../lib/util/retry-object.ts";
import type { Env } from "./env.ts";
import { readCloudflare } from "./mail/bounces/providers/cloudflare.ts";
import { DIRECTORY_NAME } from "./types/directory-rpc.ts";

type Event = NonNullable<ReturnType<typeof readCloudflare>>;
type Queued = Pick<Message, "body" | "attempts" | "ack" | "retry">;
type Read = { message: Queued; event: Event };

/** Events of a batch, as the queue is set. */
const MOST_EVENTS = 10;

/** An event may come before the result of its mail. */
const ATTEMPTS_OF_UNKNOWN = 5;
const PAUSE_S = 60;

/**
 * Receives delivery events of Cloudflare Email Service. An event is acknowledged when its team has it, or if no team
 * knows the mail; otherwise it comes again. A repetition changes nothing.
 */
export const receiveEvents = async (messages: readonly Queued[], env: Env): Promise<void> => {
  const byTeam = new Map<string, Read[]>();
  const teamsOf = teamsOfDomains(env);
  for (const message of messages.slice(MOST_EVENTS)) message.retry();
  for (const message of messages.slice(0, MOST_EVENTS)) {
    const event = readCloudflare(message.body);
    try {
      const team = event && (await teamsOf(event.domains));
      if (event && team) byTeam.set(team.join(" "), [...(byTeam.get(team.join(" ")) ?? []), { message, event }]);
      else message.ack();
    } catch (error) {
      again(message, error);
    }
  }
  for (const [teams, read] of byTeam) await deliver(teams.split(" "), read, env);
};

/** Returns the teams that send from the first domain that any sends from; undefined without one. Asks once a domain. */
const teamsOfDomains = ({ DIRECTORY }: Env) => {
  const asked = new Map<string, Promise<string[]>>();
  const of = (domain: string): Promise<string[]> => {
    const known = asked.get(domain) ?? callObject(() => DIRECTORY.getByName(DIRECTORY_NAME).teamsOf(domain));
    asked.set(domain, known);
    return known;
  };
  return async (domains: readonly string[]): Promise<string[] | undefined> => {
    for (const domain of domains) {
      const teams = await of(domain);
      if (teams.length > 0) return teams;
    }
    return undefined;
  };
};

const deliver = async (teams: readonly string[], read: readonly Read[], { WORKSPACE }: Env): Promise<void> => {
  const mails = read.map(({ event: { recipient, reply, feedback } }) => ({ recipient, reply, feedback }));
  const unknown = new Set(read.keys());
  try {
    for (const team of teams) {
      const known = await callObject(() => WORKSPACE.getByName(team).feedbackOfTaken("cloudflare", mails));
      for (const [place, isKnown] of known.entries()) if (isKnown) unknown.delete(place);
    }
  } catch (error) {
    for (const { message } of read) again(message, error);
    return;
  }
  for (const [place, { message }] of read.entries()) {
    if (unknown.has(place) && message.attempts < ATTEMPTS_OF_UNKNOWN) message.retry({ delaySeconds: PAUSE_S });
    else message.ack();
  }
  log("bounce_events", { recorded: read.length - unknown.size, unknown: unknown.size });
};

const again = (message: Queued, error: unknown): void => {
  log("bounce_events", { error: error instanceof Error ? error.message : String(error) });
  message.retry({ delaySeconds: PAUSE_S });
};
