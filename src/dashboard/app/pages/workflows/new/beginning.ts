import { type Chosen, templateOf } from "./templates.ts";

/** Sender of the mails, where the team has none. */
export type Sender = { fromName: string; fromEmail: string };

/** A workflow from a template. `key`: idempotency key. `sent`: the request that used it. */
export type Beginning = {
  template: string;
  name: string;
  chosen: Chosen;
  key: string;
  sent?: string;
  sender?: Partial<Sender>;
};

type Created = { name: string; mailingListId?: string };

/** Request that creates the workflow. */
export const createdOf = ({ template, name, chosen: { list } }: Beginning): Created => ({
  name,
  ...(templateOf(template).starts === "list" && list !== null ? { mailingListId: list } : {}),
});

/** Sets a new key if the request changed, because a key belongs to one request. */
export const keyed = (beginning: Beginning, makeKey: () => string): Beginning => {
  const sent = JSON.stringify(createdOf(beginning));
  const { sent: before = sent, key } = beginning;
  return { ...beginning, sent, key: before === sent ? key : makeKey() };
};
