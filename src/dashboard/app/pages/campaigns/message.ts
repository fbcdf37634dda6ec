import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";

export type Message = Response<V1["emailMessages"]["get"]>;

/** Sender in words. The service uses the team's sender if the message has none. */
export const senderOf = ({ fromName, fromEmail }: Pick<Message, "fromName" | "fromEmail">): string =>
  [fromName, fromEmail && `<${fromEmail}@…>`].filter(Boolean).join(" ") || "the sender of the team";
