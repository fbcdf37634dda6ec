/** Checks that a text is there. `words`: what to write. */
export const filled =
  (words: string) =>
  (value: string): string | undefined =>
    value.trim() === "" ? words : undefined;

/** Checks that a text looks like an address of mail. The service decides. */
export const address = (value: string): string | undefined => {
  const text = value.trim();
  if (text === "") return "Write an address, such as ada@example.com";
  const [name = "", domain] = text.split("@");
  if (domain === undefined || name === "") return "Write name and domain with an @ between, such as ada@example.com";
  return domain.includes(".") ? undefined : "Add the ending of the domain, such as .com";
};
