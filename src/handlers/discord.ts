import { TOLERANCE_S } from "../lib/signature/schemes.ts";
import { digestOf, readEvent } from "../lib/webhook/event.ts";
import { object } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Discord event";

type DiscordEvent = {
  type: string;
  version: number;
  application_id: string;
  event: {
    type: string;
    timestamp: string;
    data?: {
      user?: { id: string; username?: string };
      /** 0: into a server, 1: for the person. */
      integration_type?: 0 | 1;
      scopes?: string[];
      guild?: { id: string; name: string };
      user_id?: string;
      sku_id?: string;
    };
  };
};

/** Discord's times are UTC without a time zone. */
const zoned = (timestamp: unknown) =>
  typeof timestamp === "string" && !/(Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? `${timestamp}Z` : timestamp;

const read = readEvent<DiscordEvent>({ what: WHAT, type: "event.type", time: [["event.timestamp", "iso"]] });

/**
 * Discord: Ed25519 with the application's public key as "secret". Wrong test signatures need 401, PINGs 204. Discord
 * retries for 10 minutes.
 * @see https://discord.com/developers/docs/events/webhook-events
 */
export const discord: Handler<DiscordEvent> = {
  provider: "discord",
  about: {
    title: "Discord",
    secret: "DISCORD_PUBLIC_KEY",
    setUp: "Developer Portal → application → General Information → Public Key",
  },
  scheme: {
    kind: "public key",
    algorithm: "Ed25519",
    key: "raw hex",
    encoding: "hex",
    signature: { header: "X-Signature-Ed25519" },
    content: ["{timestamp}{body}"],
    timestamp: { at: { header: "X-Signature-Timestamp" }, unit: "s", tolerance: 3 * TOLERANCE_S },
  },
  endpointCheck: {
    method: "POST",
    answer: async (_request, _secrets, content) => {
      const { type, event } = object(content, WHAT);
      if (event === undefined && type === 1) return { status: 200, body: '{"type":1}' };
      return type === 0 ? { status: 204 } : undefined;
    },
  },
  accepted: { status: 204 },
  read: async (request, content, now) => {
    const body = object(content, WHAT);
    if (body.event === undefined && typeof body.type === "number") {
      throw new Error(
        `The body is not ${WHAT}: an interaction needs an answer that this bridge cannot give. Use another endpoint for interactions.`,
      );
    }
    const event = object(body.event, `${WHAT} (its event)`);
    return {
      ...(await read(request, { ...body, event: { ...event, timestamp: zoned(event.timestamp) } }, now)),
      // The digest of the body is the same on every retry.
      ...(await digestOf(body)),
    };
  },
};
