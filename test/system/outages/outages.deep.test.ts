import { afterEach, beforeEach, expect, it } from "vitest";
import { type Mailspan, startMailspan } from "../mailspan.ts";
import { measure, outages } from "./measure.ts";
import { startFailing } from "./service.ts";

let mailspan: Mailspan;
let service: Awaited<ReturnType<typeof startFailing>>;

beforeEach(async () => {
  service = await startFailing();
  mailspan = await startMailspan({ EMAIL_API_URL: service.url });
});

afterEach(async () => {
  await mailspan.stop();
  service.stop();
});

it.each(Object.keys(outages))(
  "an outage by %s is told in time and in words, costs few requests, and loses and doubles nothing",
  async (outage) => {
    const measured = await measure(mailspan, service, { outage, webhooks: 15, lasts: 2_000 });
    expect(measured.said).toMatch(
      /^outage: the email service gives no (usable )?answer: .* since .*; next attempt .* UTC\.$/,
    );
    expect(measured.told).toBeLessThan(15 + 3);
    expect(measured.requests).toBeLessThan(60);
    expect(measured.resumed).toBeGreaterThanOrEqual(0);
    expect(measured.resumed).toBeLessThan(1);
    expect([measured.lost, measured.doubled]).toEqual([0, 0]);
  },
  180_000,
);
