import type { Refusal } from "../../../lib/contract/errors.ts";
import { bytesOf } from "../../../lib/contract/fields.ts";
import type { Context } from "../core/context.ts";
import { isFull, storageFull } from "../core/size.ts";
import type { ContactData, StoredContact } from "./contact-rows.ts";

/** Bytes of a contact as JSON. 100 000 such contacts use 6.5 GB of the 10 that a team has. */
export const MAX_CONTACT = 65_536;

type Sized = Pick<StoredContact, "email" | "userId" | "data">;

/** An unsubscribe makes no contact larger. */
const sizeOf = ({ email, userId, data }: Sized): number =>
  bytesOf({ email, userId, data: { ...data, subscribed: true } });

const largestOf = ({ properties, mailingLists, ...fields }: ContactData): [name: string, bytes: number] =>
  Object.entries({ ...fields, ...properties, mailingLists })
    .map(([name, value]): [string, number] => [name, bytesOf(value)])
    .reduce((largest, one) => (one[1] > largest[1] ? one : largest), ["email", 0]);

/** Refuses a contact above 64 KB that does not shrink: `path` is its largest field. */
export const largeContact = (before: Sized | undefined, after: Sized): Refusal | undefined => {
  const bytes = sizeOf(after);
  if (bytes <= MAX_CONTACT || (before && bytes < sizeOf(before))) return undefined;
  const [path, most] = largestOf(after.data);
  const message = `${path}: the contact would have ${bytes} bytes, and may have ${MAX_CONTACT}. "${path}" has ${most} of them: shorten it, or set a property that is not needed to null.`;
  return { code: "contact_too_large", path, message };
};

/** As `largeContact`; in a full team, also refuses a new contact or a larger one. */
export const growthRefusal = (context: Context, before: Sized | undefined, after: Sized): Refusal | undefined => {
  const large = largeContact(before, after);
  if (large || !isFull(context)) return large;
  return before && sizeOf(after) <= sizeOf(before) ? undefined : storageFull(context);
};
