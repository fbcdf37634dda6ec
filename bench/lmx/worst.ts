import { compile } from "../../src/lib/lmx/compile.ts";
import { guardian } from "../../src/lib/lmx/guardian/guardian.ts";
import { emptySource } from "../../src/lib/lmx/message/message-source.ts";
import { type WorstKind, worstKinds, worstLibrary } from "../../test/unit/lib/lmx/worst-kinds.ts";
import { median } from "../median.ts";

const CALLS = 3;
const SHOWN = 12;

/** Ms of thread time. `ms`: median of later calls. */
type Times = { first: number; ms: number };

const threadMs = (run: () => void): number => {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
};

const timesOf = (run: () => void): Times => ({
  first: threadMs(run),
  ms: median(Array.from({ length: CALLS }, () => threadMs(run))),
});

const measure = ({ name, source, format, lang = "en" }: WorstKind) => {
  const compiling = () => compile(source, "transactional", { lang, ...(format && { format }) }, worstLibrary);
  const { compiled, problems } = compiling();
  const subject = {
    message: { ...emptySource, lmx: source, emailFormat: format ?? ("styled" as const) },
    kind: "transactional" as const,
    library: worstLibrary,
    html: compiled?.html,
    known: {},
    problems: problems.map((problem) => ({ ...problem, field: "lmx" })),
  };
  return { name, compile: timesOf(compiling), guardian: timesOf(() => guardian(subject)) };
};

const said = ({ first, ms }: Times): string => `${ms.toFixed(1)} ms (first call ${first.toFixed(1)} ms)`;

/** Returns the slowest kinds and each kind over the limit. */
export const worstRows = (limit: number): { dear: boolean; line: string }[] => {
  const rows = worstKinds
    .map(measure)
    .map((row) => ({ ...row, most: Math.max(row.compile.ms, row.guardian.ms) }))
    .sort((a, b) => b.most - a.most);
  const shown = rows.filter(({ most }, index) => index < SHOWN || most > limit);
  return [
    { dear: false, line: `The slowest of ${rows.length} worst kinds of 100 KB:` },
    ...shown.map(({ name, most, compile, guardian }) => {
      const dear = most > limit;
      return { dear, line: `${dear ? "✗" : "✓"} ${name}: compile ${said(compile)}, guardian ${said(guardian)}` };
    }),
  ];
};
