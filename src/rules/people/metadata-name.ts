import { clip } from "../values/clip.ts";
import { firstName, lastName } from "./name.ts";

export type Metadata = Readonly<Record<string, unknown>> | null | undefined;

/** Other types are ignored: users can write anything into metadata. */
const textIn = (metadata: Metadata, keys: readonly string[]): string | undefined => {
  const found = keys.map((key) => metadata?.[key]).find((value) => typeof value === "string" && value.trim() !== "");
  return clip(found as string | undefined)?.trim();
};

/** Returns the first name from a separate field. */
export const ownFirstName = (metadata: Metadata): string | undefined => textIn(metadata, ["first_name", "given_name"]);

/** Returns the last name from a separate field. */
export const ownLastName = (metadata: Metadata): string | undefined => textIn(metadata, ["last_name", "family_name"]);

const FULL = ["full_name", "name"];

/** Returns `first_name`, `given_name`, or the full name's first word. */
export const metadataFirstName = (metadata: Metadata): string | undefined =>
  ownFirstName(metadata) ?? firstName(textIn(metadata, FULL));

/** Returns the last name. The full name is used only without a first name. */
export const metadataLastName = (metadata: Metadata): string | undefined =>
  ownLastName(metadata) ?? (ownFirstName(metadata) === undefined ? lastName(textIn(metadata, FULL)) : undefined);
