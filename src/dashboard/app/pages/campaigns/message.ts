import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";

export type Message = Response<V1["emailMessages"]["get"]>;

/** Who a mail is from, in words. Where the message has no sender, the service takes the sender of the team. */
export const senderOf = ({ fromName, fromEmail }: Pick<Message, "fromName" | "fromEmail">): string =>
  [fromName, fromEmail && `<${fromEmail}@…>`].filter(Boolean).join(" ") || "the sender of the team";
