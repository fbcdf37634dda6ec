// Setup of tests that wait for what other processes do. A busy machine makes a test slow, not wrong.
import { vi } from "vitest";

const { waitFor } = vi;
/** Waits up to 15 s where a test names no time; vitest's own limit is 1 s. */
vi.waitFor = (callback, options = { timeout: 15_000 }) => waitFor(callback, options);
