import type { Handlers } from "../core/handler.ts";

export const dedicatedSendingIps: Handlers<"dedicatedSendingIps"> = {
  /** As configured: this service cannot know the addresses that its sender uses. */
  list: ({ sendingIps }) => ({ body: [...sendingIps] }),
};
