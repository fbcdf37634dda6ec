/** New mail of at most one hour may overtake a retry. */
const HEAD_MS = 3_600_000;
/** A workflow that queues more mail falls behind the others. */
const PACE_MS = 50;

/** Assigns queue places so that workflows take turns. Its state is lost at a restart. */
export const createTurns = () => {
  const last = new Map<number, number>();
  return (workflow: number, now: number): number => {
    const turn = Math.min(now, Math.max(now - HEAD_MS, (last.get(workflow) ?? 0) + PACE_MS));
    last.set(workflow, turn);
    return turn;
  };
};

export type Turns = ReturnType<typeof createTurns>;
