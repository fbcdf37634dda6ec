/** `next`: cursor; null at the end. */
type Part = { next?: string | null };

/**
 * Repeats an operation until it has no `next` cursor.
 *
 * @param onPart gets each answer before the last
 * @returns the last answer
 */
export const askToEnd = async <Answer extends Part>(
  ask: (more: { cursor?: string }) => Promise<Answer>,
  onPart: (part: Answer) => void = () => {},
): Promise<Answer> => {
  let answer = await ask({});
  while (answer.next) {
    onPart(answer);
    answer = await ask({ cursor: answer.next });
  }
  return answer;
};
