import { UsageError } from "../lib/cli.ts";
import type { World } from "./world.ts";

/**
 * Returns false for another answer.
 * @param option replaces the answer without a terminal
 */
export const confirm = async (world: World, question: string, word: string, option: string): Promise<boolean> => {
  if (!world.isTerminal) throw new UsageError(`There is no terminal to ask. Confirm with ${option}.`);
  const typed = await world.ask(question);
  const plain = (text: string) =>
    text
      .trim()
      .replaceAll(/(?<=\d)[,. '’](?=\d{3})/g, "")
      .toLowerCase();
  if (typed !== undefined && plain(typed) === plain(word)) return true;
  world.print(typed === undefined ? "Nothing was changed." : `You typed "${typed}", not ${word}. Nothing was changed.`);
  return false;
};
