import { defineSender } from "../definition.ts";

export const inboxOn = ({ INBOX }: { INBOX?: string }): boolean => INBOX === "1";

/** Captures one mail per id in the local inbox. */
export const inbox = defineSender({
  name: "inbox",
  title: "the local inbox",
  variables: {
    INBOX: {
      help: "1: every mail goes into the inbox at /inbox. Never on a public Worker",
    },
  },
  local: true,
  read: (values) =>
    inboxOn(values) ? { settings: {} } : { problem: "INBOX is not 1: set INBOX=1, or another sender" },
  create: (_, { capture }) => {
    const sender = { name: "inbox", idempotent: true, send: capture } as const;
    return () => ({ inbox: sender });
  },
});
