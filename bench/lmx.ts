import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { sampleFiles } from "../scripts/lib/sample-files.ts";
import { type Compiled, compile } from "../src/lib/lmx/compile.ts";
import { fill, type Values } from "../src/lib/lmx/fill.ts";
import { worstRows } from "./lmx/worst.ts";
import { median } from "./median.ts";

/** Minimum ratio of compile time to fill time. */
const RATIO = 20;
/** Ms of thread time. */
const LIMIT_MS = 50;
/** Bytes. */
const SIZE = 100_000;

const LMX = define({
  name: "bench:lmx",
  about: `Measures the compiler of mail content: filling against compiling, the largest documents, and those of the worst kinds
with the guardian too. Fails out of bounds.`,
  examples: [[""], ["--rounds 50"]],
  options: { rounds: { value: "n", default: "15", about: "rounds, of which the median counts" } },
});

/** The clock of a thread is coarse, so short work is repeated. */
const LEAST_MS = 40;

const threadMs = (run: () => void, times: number): number => {
  const start = process.threadCpuUsage();
  for (let n = 0; n < times; n++) run();
  return process.threadCpuUsage(start).user / 1000;
};

/** Ms of thread time; other processes do not count. */
const time = (run: () => void, rounds: number): number => {
  let times = 1;
  while (threadMs(run, times) < LEAST_MS) times *= 2;
  return median(Array.from({ length: rounds }, () => threadMs(run, times) / times));
};

const compiled = (source: string): Compiled => {
  const result = compile(source, "transactional");
  if (result.compiled === undefined) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};

const repeated = (block: string): string => block.repeat(Math.floor(SIZE / block.length));

const PARAGRAPH =
  '<Paragraph>Hello {data.name}, <Strong>some words</Strong> and a <Link href="https://example.com/{data.id}">link</Link>.</Paragraph>\n';
const CARD = `<Section blockColor="#f5f3ff"><H3>Title</H3>${PARAGRAPH}<Columns><ColumnItem>${PARAGRAPH}</ColumnItem><ColumnItem>${PARAGRAPH}</ColumnItem></Columns><Button href="https://example.com">Go</Button></Section>\n`;

const large: readonly (readonly [name: string, source: string])[] = [
  ["100 KB of paragraphs", repeated(PARAGRAPH)],
  ["100 KB of sections, columns and buttons", repeated(CARD)],
  ["100 KB of short paragraphs", repeated("<Paragraph>x</Paragraph>\n")],
];

const measure = (source: string, rounds: number): { compileMs: number; fillMs: number } => {
  const { html, text, variables } = compiled(source);
  const values: Values = Object.fromEntries(
    variables.map((variable) => [variable, "https://example.com/value & more"]),
  );
  const compileMs = time(() => void compile(source, "transactional"), rounds);
  const fillMs = time(() => {
    fill(html, values);
    fill(text, values);
  }, rounds);
  return { compileMs, fillMs };
};

await runCommand(LMX, ({ values }) => {
  const rounds = wholeNumber("rounds", values.rounds, { min: 1 });
  let areWithin = true;
  for (const [name, source] of [...sampleFiles.map(({ id, lmx }) => [id, lmx] as const), ...large]) {
    const { compileMs, fillMs } = measure(source, rounds);
    const ratio = compileMs / fillMs;
    const isDear = ratio < RATIO || compileMs > LIMIT_MS;
    areWithin &&= !isDear;
    const figures = `compile ${compileMs.toFixed(2)} ms, fill ${fillMs.toFixed(4)} ms, ${Math.round(ratio)}×`;
    console.log(`${isDear ? "✗" : "✓"} ${name}: ${figures}`);
  }
  for (const { dear, line } of worstRows(LIMIT_MS)) {
    areWithin &&= !dear;
    console.log(line);
  }
  console.log(`Bounds: filling at least ${RATIO}× cheaper, compiling and judging at most ${LIMIT_MS} ms each.`);
  return areWithin;
});
