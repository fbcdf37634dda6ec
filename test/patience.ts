// Setup of tests that wait for other processes. A busy machine makes a test slow, not wrong.
import { vi } from "vitest";

const { waitFor } = vi;
/** Waits up to 15 s by default. The default of vitest is 1 s. */
vi.waitFor = (callback, options = { timeout: 15_000 }) => waitFor(callback, options);
