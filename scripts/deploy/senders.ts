import { namesInWords, senders } from "../../src/email/delivery/senders/sender-list.ts";

/** Senders that hand mail to the world: strangers would reach the page of the local inbox. */
export const offered = senders.filter(({ local }) => !local);

export const offeredInWords = namesInWords(offered);

/** Lines of the help: each variable that a sender requires. */
export const senderHelp = offered
  .flatMap(({ name, variables }) =>
    Object.entries(variables)
      .filter(([, { required }]) => required)
      .map(([variable, { help, example }]) => `  ${variable.padEnd(23)} with ${name}: ${example ?? help}`),
  )
  .join("\n");
