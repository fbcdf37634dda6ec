import type { PlannedLink } from "../../rules/types.ts";
import { keysOf, type Rows } from "./identity-rows.ts";
import { TIE, type Watermarks, watermarksIn } from "./watermarks.ts";

/** A former address of a user, possibly still a separate contact. */
export type FormerAddress = {
  userId: string;
  email: string;
  /** Watermarks of the values written for the address alone. */
  watermarks: Watermarks;
};

/** Finds former addresses with a possible second contact. Call it before links are saved. */
export const formerAddresses = (links: readonly PlannedLink[], happenedAt: number, rows: Rows): FormerAddress[] =>
  links.flatMap(({ userId, email, strength }) => {
    if (!userId || !email || strength === "unverified") return [];
    const [userKey = "", addressKey = ""] = keysOf({ userId, email });
    const user = rows.read(userKey);
    if (user?.email == null || user.strength < 0 || user.email.toLowerCase() === email.toLowerCase()) return [];
    if (user.learned_at <= happenedAt)
      return Object.hasOwn(watermarksIn(user), TIE) ? [] : [{ userId, email: user.email, watermarks: {} }];
    const address = rows.read(addressKey);
    return address?.next_key === userKey ? [] : [{ userId, email, watermarks: address ? watermarksIn(address) : {} }];
  });
