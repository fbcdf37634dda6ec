import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Column } from "../../parts/chart/columns.ts";

export type Times = Response<AdminContract["statistics"]["series"]>;

const HOUR_MS = 3_600_000;
const STEPS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
/** The series by hour has a week. */
const WEEK_MS = 168 * HOUR_MS;

/** Unit of all the time since a start. `now`: Unix ms. */
export const unitSince = (startedAt: string, now: number): Times["unit"] =>
  now - Date.parse(startedAt) > WEEK_MS ? "day" : "hour";

/** People who had opened or clicked by the end of each point, at most `most` of them. */
export const levelsOf = ({ points, unit }: Pick<Times, "points" | "unit">, most = points.length): Column[] => {
  const sums = { opened: 0, clicked: 0 };
  return points.slice(0, most).map(({ at, opened, clicked }, n) => {
    sums.opened += opened;
    sums.clicked += clicked;
    const begin = Date.parse(at);
    const next = points[n + 1];
    return { at: begin, until: next ? Date.parse(next.at) : begin + STEPS[unit], counts: { ...sums } };
  });
};

/** People who had opened an earlier campaign as long after its start. It stays at its last point. */
export const beforeOf = (earlier: Pick<Times, "points" | "unit">, count: number): number[] => {
  const levels = levelsOf(earlier).map(({ counts }) => counts.opened ?? 0);
  return Array.from({ length: count }, (_, n) => levels[Math.min(n, levels.length - 1)] ?? 0);
};
