/** Lines of a text. `isOnly`: the other text lacks the line. */
export const linesOf = (text: string, other: string): { line: string; isOnly: boolean }[] => {
  const left = new Map<string, number>();
  for (const line of other.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  return text.split("\n").map((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return { line, isOnly: count === 0 };
  });
};
