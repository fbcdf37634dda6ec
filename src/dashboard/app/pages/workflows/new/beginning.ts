import { type Chosen, templateOf } from "./templates.ts";

/** A workflow that is made from a template. `key`: of the request that creates it. `sent`: that request, where the key was used for one. */
export type Beginning = { template: string; name: string; chosen: Chosen; key: string; sent?: string };

type Created = { name: string; mailingListId?: string };

/** The request that creates the workflow. */
export const createdOf = ({ template, name, chosen: { list } }: Beginning): Created => ({
  name,
  ...(templateOf(template).starts === "list" && list !== null ? { mailingListId: list } : {}),
});

/** The same beginning with a key for what it sends now: a key belongs to one request, and the service takes it for no other. */
export const keyed = (beginning: Beginning, makeKey: () => string): Beginning => {
  const sent = JSON.stringify(createdOf(beginning));
  const { sent: before = sent, key } = beginning;
  return { ...beginning, sent, key: before === sent ? key : makeKey() };
};
