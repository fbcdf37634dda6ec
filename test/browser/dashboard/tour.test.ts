import { afterAll, beforeAll, it } from "vitest";
import { campaign } from "./tour/campaign.ts";
import { fix } from "./tour/fix.ts";
import { receipt } from "./tour/receipt.ts";
import { startTour } from "./tour/tour.ts";
import { workflow } from "./tour/workflow.ts";

let tour: Awaited<ReturnType<typeof startTour>>;
beforeAll(async () => {
  tour = await startTour();
}, 240_000);
afterAll(() => tour?.stop());

it(
  "a new user finds a failed delivery, understands its cause, fixes the template, retries the delivery and sees the mail",
  () => tour.journey(fix),
  240_000,
);

it(
  "a new user changes the words of the receipt, publishes them, and sees them in the mail of the next sample of Stripe",
  () => tour.journey(receipt),
  240_000,
);

it(
  "a new user imports a file, composes a campaign to its people, sends it and sees what became of it",
  () => tour.journey(campaign),
  240_000,
);

it("a new user makes a workflow from a template and sees its steps", () => tour.journey(workflow), 240_000);
