import { expect, it } from "vitest";
import { event } from "../setup.ts";
import { person, restarted } from "./restarted.ts";

/** More than two slices of the queue. */
const MANY = 500;

it("after a restart with more open deliveries than a slice, every delivery is sent once, those of a person in their order, and those of a new webhook after them", async () => {
  const { bench } = await restarted(MANY);
  await bench.stub().pause(undefined, false);
  await bench.accept({ eventId: "evt_new", deliveries: [event(person(7), "last")] });
  const events = () =>
    bench.service.acted.flatMap(({ path, body }) =>
      path.endsWith("/events/send") ? [body as { email: string; eventName: string }] : [],
    );
  await bench.waitFor(() => expect(events()).toHaveLength(MANY + 1), 600_000);
  const names = events().map(({ eventName }) => eventName);
  expect(new Set(names).size).toBe(MANY + 1);
  const ofSeven = events().filter(({ email }) => email === "person7@example.com");
  expect(ofSeven.map(({ eventName }) => eventName)).toEqual(["event7", "event207", "event407", "last"]);
});
