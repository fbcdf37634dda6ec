import type { Fault } from "../../policy/readiness/faults.ts";
import type { Context } from "../core/context.ts";
import { sendingDomainOf } from "./sending-domain.ts";

export const marketingObstacles = (context: Context): Fault[] => {
  const domain = sendingDomainOf(context, "marketing");
  const { marketingObstacle: reason } = context.mail;
  return [
    ...("refusal" in domain ? [domain.refusal].map(({ code, message }) => ({ code, message })) : []),
    ...(reason === undefined
      ? []
      : [{ code: "mail_cannot_leave", message: `No marketing mail leaves this service: ${reason}.` }]),
  ];
};
