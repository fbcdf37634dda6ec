import type { Link } from "../../rules/types.ts";
import { keysOf, type Rows } from "./rows.ts";
import { TIE, type Watermarks, watermarksIn } from "./watermarks.ts";

/** A former address of a user, for which the host may have a contact of its own. */
export type FormerAddress = {
  userId: string;
  email: string;
  /** Watermarks of the values that were written for the address alone, as far as they are known. */
  marks: Watermarks;
};

/**
 * Former addresses that these links show, where the host may not know whose they are: the link comes later than a newer
 * one, or the next one comes before the host has learned the first. Calls by that address may have made a second contact
 * at the host. To be called before the links are saved.
 */
export const formerAddresses = (links: readonly Link[], happenedAt: number, rows: Rows): FormerAddress[] =>
  links.flatMap(({ userId, email, strength }) => {
    if (!userId || !email || strength === "unverified") return [];
    const [userKey = "", addressKey = ""] = keysOf({ userId, email });
    const user = rows.read(userKey);
    if (user?.email == null || user.strength < 0 || user.email.toLowerCase() === email.toLowerCase()) return [];
    if (user.told_at <= happenedAt)
      return Object.hasOwn(watermarksIn(user), TIE) ? [] : [{ userId, email: user.email, marks: {} }];
    const address = rows.read(addressKey);
    return address?.same_as === userKey ? [] : [{ userId, email, marks: address ? watermarksIn(address) : {} }];
  });
