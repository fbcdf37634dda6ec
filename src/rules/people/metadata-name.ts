import { clip } from "../values/clip.ts";
import { firstName, lastName } from "./name.ts";

export type Metadata = Readonly<Record<string, unknown>> | null | undefined;

/**
 * The first non-empty string under these keys. Other types are ignored: users can write anything into their metadata.
 */
const textIn = (metadata: Metadata, keys: readonly string[]): string | undefined => {
  const found = keys.map((key) => metadata?.[key]).find((value) => typeof value === "string" && value.trim() !== "");
  return clip(found as string | undefined)?.trim();
};

/** The first name in a field of its own, not taken from a full name. */
export const ownFirstName = (metadata: Metadata): string | undefined => textIn(metadata, ["first_name", "given_name"]);

/** The last name in a field of its own, not taken from a full name. */
export const ownLastName = (metadata: Metadata): string | undefined => textIn(metadata, ["last_name", "family_name"]);

const FULL = ["full_name", "name"];

/**
 * First name in a user's metadata: `first_name`, else the identity provider's `given_name`, else the first word of the
 * full name.
 */
export const metadataFirstName = (metadata: Metadata): string | undefined =>
  ownFirstName(metadata) ?? firstName(textIn(metadata, FULL));

/**
 * Last name in a user's metadata, as `metadataFirstName`. Taken from the full name only where no first name is given.
 */
export const metadataLastName = (metadata: Metadata): string | undefined =>
  ownLastName(metadata) ?? (ownFirstName(metadata) === undefined ? lastName(textIn(metadata, FULL)) : undefined);
