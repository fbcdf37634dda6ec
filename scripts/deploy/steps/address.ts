import type { Io, Question } from "../io.ts";

/** Returns an https address without a final `/`, or undefined. */
export const addressOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url?.protocol === "https:" && !url.search && !url.hash && !url.username
    ? url.href.replace(/\/+$/, "")
    : undefined;
};

export const askAddress = async (
  { ask }: Pick<Io, "ask">,
  named: string | undefined,
  question: Pick<Question, "variable" | "text">,
): Promise<string> => {
  if (named !== undefined) return named;
  const check = (answer: string) =>
    addressOf(answer) ? undefined : "It must be an address like https://mail.example.com.";
  return addressOf(await ask({ ...question, check })) ?? "";
};
