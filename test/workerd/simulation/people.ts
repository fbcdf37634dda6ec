import type { Contact, PlannedLink } from "../../../src/rules/types.ts";

/**
 * The persons by accepted links: all identifiers of one link are one person. Simpler than the Outbox, so it checks
 * it.
 */
export type People = {
  same(a: Contact, b: Contact): boolean;
  keysOf(contact: Contact): string[];
};

const surest = ({ userId, email, ref }: Contact): string =>
  userId ? `user:${userId}` : email ? `email:${email.toLowerCase()}` : `ref:${ref}`;

export const learnPeople = (links: readonly PlannedLink[]): People => {
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
