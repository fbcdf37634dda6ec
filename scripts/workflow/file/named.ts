/** The items with this name; upper and lower case count only where several names differ in nothing else. */
export const namedLike = <Item extends { name: string }>(all: readonly Item[], name: string): Item[] => {
  const exact = all.filter((one) => formOf(one.name) === formOf(name));
  return exact.length > 0 ? exact : all.filter((one) => formOf(one.name).toLowerCase() === formOf(name).toLowerCase());
};

/** Editors and terminals write the same letters in different forms of Unicode. */
const formOf = (name: string): string => name.normalize("NFC");
