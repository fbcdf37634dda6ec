import { afterAll, beforeAll, it } from "vitest";
import { campaign } from "./tour/campaign.ts";
import { mend } from "./tour/mend.ts";
import { receipt } from "./tour/receipt.ts";
import { startTour } from "./tour/tour.ts";
import { workflow } from "./tour/workflow.ts";

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

it(
  "a new user changes the words of the receipt, publishes them, and sees them in the mail of the next sample of Stripe",
  () => tour.journey(receipt),
  240_000,
);

it(
  "a new user imports a file, composes a campaign to its people, launches it and sees what became of it",
  () => tour.journey(campaign),
  240_000,
);

it("a new user makes a workflow from a template and sees its steps", () => tour.journey(workflow), 240_000);
