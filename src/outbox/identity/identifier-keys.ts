import type { Names } from "../../lib/names/finder.ts";
import type { Person } from "./person-search.ts";

/** Splits a key into kind and name; a ref's name includes the source: `stripe:cus_1`. */
export const splitKey = (key: string): [kind: "user" | "email" | "ref", name: string] => {
  const at = key.indexOf(":");
  return [key.slice(0, at) as "user" | "email" | "ref", key.slice(at + 1)];
};

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
