import type { Handler } from "../runtime/operations.ts";

/** As configured: this service cannot know the addresses its sender uses. */
export const listDedicatedSendingIps: Handler<"dedicatedSendingIps.list"> = ({ sendingIps }) => ({
  body: [...sendingIps],
});
