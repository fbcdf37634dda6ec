import { afterAll, beforeAll, it } from "vitest";
import { mend } from "./tour/mend.ts";
import { startTour } from "./tour/tour.ts";

let tour: Awaited<ReturnType<typeof startTour>>;
beforeAll(async () => {
  tour = await startTour();
}, 240_000);
afterAll(() => tour?.stop());

it(
  "a new user finds a dead call, understands its cause, mends the template, retries the call and sees the mail",
  () => tour.journey(mend),
  240_000,
);
