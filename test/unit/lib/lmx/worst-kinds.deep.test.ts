import { expect, it } from "vitest";
import { compile } from "../../../../src/lib/lmx/compile.ts";
import { guardian } from "../../../../src/lib/lmx/guardian/guardian.ts";
import { emptySource } from "../../../../src/lib/lmx/message/message-source.ts";
import { threadTime } from "../../../thread-time.ts";
import { fewWorstKinds, typical, type WorstKind, worstLibrary } from "./worst-kinds.ts";

const compiling = ({ source, format, lang }: Omit<WorstKind, "name">) =>
  compile(source, "transactional", { ...(format && { format }), ...(lang && { lang }) }, worstLibrary);

const stepsOf = (kind: Omit<WorstKind, "name">): Record<string, () => void> => {
  let result: ReturnType<typeof compiling> | undefined;
  const message = { ...emptySource, lmx: kind.source, emailFormat: kind.format ?? ("styled" as const) };
  return {
    compiled: () => {
      result = compiling(kind);
    },
    judged: () => {
      const problems = (result?.problems ?? []).map((problem) => ({ ...problem, field: "lmx" }));
      const subject = { message, kind: "transactional" as const, library: worstLibrary, problems, known: {} };
      guardian({ ...subject, html: result?.compiled?.html });
    },
  };
};

/**
 * `npm run bench:lmx` measures the promise of 50 ms: typical documents take about 8 ms, the worst kinds 4 to 5.5
 * times as long.
 * The limit here is twice the promise, because of other work on the machine.
 */
const MOST_TIMES = 12;

it("100 KB of the worst kind is compiled, and judged, in not much more time than a typical document is compiled", {
  timeout: 120_000,
}, () => {
  const compileTypical = () => void compiling({ source: typical() });
  const typicalMs = Math.min(...Array.from({ length: 20 }, () => threadTime(compileTypical)));
  // A slow run can be garbage collection: it is compared with a typical run of the same moment.
  const fits = (run: () => void) =>
    threadTime(run) <= MOST_TIMES * typicalMs ||
    Array.from({ length: 8 }).some(() => threadTime(run) <= MOST_TIMES * threadTime(compileTypical));
  const slow = fewWorstKinds.flatMap((kind) =>
    Object.entries(stepsOf(kind)).flatMap(([step, run]) => (fits(run) ? [] : [`${step}: ${kind.name}`])),
  );
  expect(slow).toEqual([]);
});
