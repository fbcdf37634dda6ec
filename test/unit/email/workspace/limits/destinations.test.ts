import { describe, expect, it } from "vitest";
import { destinationOf } from "../../../../../src/email/workspace/limits/destinations.ts";

describe("the place that mail goes to", () => {
  it.each([
    ["a@gmail.com", "Google"],
    ["a@GoogleMail.com", "Google"],
    ["a@hotmail.co.uk", "Microsoft"],
    ["a@aol.com", "Yahoo"],
    ['"a@b"@me.com', "Apple"],
    ["a@gmail.com.example", "gmail.com.example"],
    ["a@Example.ORG", "example.org"],
  ])("%s: %s", (address, destination) => {
    expect(destinationOf(address)).toBe(destination);
  });
});
