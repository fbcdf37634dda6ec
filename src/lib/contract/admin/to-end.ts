/** `next`: the cursor of the request that goes on; null at the end. A service of before has answered in one request, without it. */
type Part = { next?: string | null };

/**
 * Asks an operation that does a part of its work in each request, until it is at its end.
 *
 * @param onPart is told each answer before the last
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
