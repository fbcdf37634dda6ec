/** How far new mail may stand before mail that waits already, in ms. A retry is overtaken by the mail of one hour at most. */
const HEAD_MS = 3_600_000;
/** Distance of two mails of one workflow, in ms: a workflow that queues more mail than this falls behind the others. */
const PACE_MS = 50;

/**
 * Gives each new mail its place in the queue, which is in the order of `due` (Unix ms): an hour before now, and some way behind the
 * mail of the same workflow before it. So workflows take turns, and a first mail does not wait behind the thousands of another
 * workflow. What the places depend on is in memory only: an object that starts again begins anew.
 */
export const createTurns = () => {
  const last = new Map<number, number>();
  /** `workflow`: its `n`. `now`: Unix ms. */
  return (workflow: number, now: number): number => {
    const turn = Math.min(now, Math.max(now - HEAD_MS, (last.get(workflow) ?? 0) + PACE_MS));
    last.set(workflow, turn);
    return turn;
  };
};

export type Turns = ReturnType<typeof createTurns>;
