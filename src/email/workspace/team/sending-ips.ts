import type { Handlers } from "../core/handler.ts";

export const dedicatedSendingIps: Handlers<"dedicatedSendingIps"> = {
  /** The service cannot detect its sender's addresses, so they are configured. */
  list: ({ sendingIps }) => ({ body: [...sendingIps] }),
};
