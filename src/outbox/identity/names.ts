import type { Names } from "../../lib/names/finder.ts";
import type { Person } from "./person-search.ts";

/** A key of the table `contacts` as kind and name. The name of a provider's id has its source: `stripe:cus_1`. */
export const splitKey = (key: string): [kind: "user" | "email" | "ref", name: string] => {
  const at = key.indexOf(":");
  return [key.slice(0, at) as "user" | "email" | "ref", key.slice(at + 1)];
};

/** The identifiers of a person, without their kinds and sources. */
export const namesOf = ({ keys, bareRef }: Pick<Person, "keys" | "bareRef">): Names => {
  const all = [...keys].map(splitKey);
  const ids = all.flatMap(([kind, name]) =>
    kind === "user" ? [name] : kind === "ref" ? [name.slice(name.indexOf(":") + 1)] : [],
  );
  return {
    emails: all.flatMap(([kind, name]) => (kind === "email" ? [name] : [])),
    ids: [...new Set([...ids, ...(bareRef === undefined ? [] : [bareRef])])].filter((id) => id !== ""),
  };
};
