// Setup of tests of objects. Each line of a log is a message to vitest: those of a test are sent only if it fails.
import { afterAll, beforeEach } from "vitest";

const shared = globalThis as { shownLog?: typeof console.log };
shared.shownLog ??= console.log;
const { shownLog: show } = shared;

let kept: unknown[][] | undefined;
console.log = (...line) => {
  if (kept) kept.push(line);
  else show(...line);
};

beforeEach(({ onTestFailed }) => {
  const own: unknown[][] = [];
  kept = own;
  onTestFailed(() => {
    for (const line of own) show(...line);
  });
});
afterAll(() => {
  kept = undefined;
});
