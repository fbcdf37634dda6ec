import { expect, it } from "vitest";
import { checkThinEvents } from "../../../../scripts/check/thin-events.ts";
import { type Source, sources } from "../../../../src/sources.ts";

const stripe = sources.stripe as Source;
const { fetchBack: _, ...keyless } = stripe;

it("notes the sources whose thin events wait for a key, and what to do", () => {
  const checked = checkThinEvents({ ...sources, "stripe-eu": keyless }, {}, undefined);
  expect(checked).toEqual([
    {
      level: "note",
      source: "stripe",
      message: expect.stringMatching(/^STRIPE_API_KEY is not set on this machine.*docs/),
    },
    { level: "note", source: "stripe-eu", message: expect.stringMatching(/^the source has no fetchBack/) },
  ]);
  expect(checkThinEvents(sources, { STRIPE_API_KEY: "rk_1" }, undefined)).toEqual([]);
  expect(checkThinEvents(sources, {}, "clerk")).toEqual([]);
});
