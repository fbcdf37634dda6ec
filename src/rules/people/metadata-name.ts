import { clip } from "../values/clip.ts";
import { firstName, lastName } from "./name.ts";

type Metadata = Readonly<Record<string, unknown>> | null | undefined;

/** The first of several keys with a text in it: people can write anything into their own metadata. */
const textIn = (metadata: Metadata, keys: readonly string[]): string | undefined => {
  const found = keys.map((key) => metadata?.[key]).find((value) => typeof value === "string" && value.trim() !== "");
  return clip(found as string | undefined)?.trim();
};

const FULL = ["full_name", "name"];

/** First name in a user's metadata: your own `first_name`, what an identity provider gave, or a guess from the full name. */
export const metadataFirstName = (metadata: Metadata): string | undefined =>
  textIn(metadata, ["first_name", "given_name"]) ?? firstName(textIn(metadata, FULL));

/** Last name in a user's metadata, as `metadataFirstName`; none is guessed where the first name is given by itself. */
export const metadataLastName = (metadata: Metadata): string | undefined =>
  textIn(metadata, ["last_name", "family_name"]) ??
  (textIn(metadata, ["first_name", "given_name"]) === undefined ? lastName(textIn(metadata, FULL)) : undefined);
