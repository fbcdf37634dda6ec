import type { Contact, Link } from "../../../src/rules/types.ts";

/**
 * The persons according to the accepted links: all identifiers of one link are one person. Simpler than the Outbox, which
 * also handles addresses that move to another user, and therefore a check on it.
 */
export type People = {
  /** True when two contacts are the same person. */
  same(a: Contact, b: Contact): boolean;
  /** Every known key of a person. */
  keysOf(contact: Contact): string[];
};

/** The surest key of a contact. The identifiers of a call do not link each other. */
const surest = ({ userId, email, ref }: Contact): string =>
  userId ? `user:${userId}` : email ? `email:${email.toLowerCase()}` : `ref:${ref}`;

export const learnPeople = (links: readonly Link[]): People => {
  const above = new Map<string, string>();
  const top = (key: string): string => {
    const next = above.get(key);
    return next === undefined ? key : top(next);
  };
  const all = new Set<string>();
  for (const { userId, email, ref } of links) {
    const keys = [
      ...(userId ? [surest({ userId })] : []),
      ...(email ? [surest({ email })] : []),
      ...(ref ? [surest({ ref })] : []),
    ];
    for (const key of keys) {
      all.add(key);
      const [a, b] = [top(key), top(keys[0] as string)];
      if (a !== b) above.set(a, b);
    }
  }
  return {
    same: (a, b) => top(surest(a)) === top(surest(b)),
    keysOf: (contact) => {
      const person = top(surest(contact));
      return [surest(contact), ...[...all].filter((key) => top(key) === person)];
    },
  };
};
