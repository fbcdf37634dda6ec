import { describe, expect, it } from "vitest";
import { changesIn, type Settings, shownValue } from "../../../src/dashboard/app/pages/team/fields.ts";

const settings: Settings = {
  ...{ name: "Acme", postalAddress: null, tracking: true, doubleOptIn: false, createProperties: false },
  ...{ attachments: false, sendPerSecond: null, sendPerHour: 500, sendPerDay: null },
};

describe("the settings of a team", () => {
  it("are shown as they are, or as a person has changed them", () => {
    expect(shownValue(settings, {}, "postalAddress")).toBe("");
    expect(shownValue(settings, {}, "sendPerHour")).toBe("500");
    expect(shownValue(settings, { sendPerHour: "" }, "sendPerHour")).toBe("");
    expect(shownValue(settings, { tracking: false }, "tracking")).toBe(false);
  });

  it("are sent where they differ, each as what it stands for", () => {
    expect(changesIn(settings, {})).toEqual({});
    expect(changesIn(settings, { name: "Acme ", tracking: true, sendPerHour: "500", postalAddress: "" })).toEqual({});
    expect(changesIn(settings, { tracking: false, sendPerHour: "", sendPerDay: " 1000 " })).toEqual({
      ...{ tracking: false, sendPerHour: null, sendPerDay: 1_000 },
    });
    expect(changesIn(settings, { postalAddress: "Acme\n1 Road\n" })).toEqual({ postalAddress: "Acme\n1 Road" });
  });

  it("are sent as they were typed where they are wrong, so that the service says why", () => {
    expect(changesIn(settings, { sendPerHour: "many", name: " " })).toEqual({ sendPerHour: "many", name: "" });
  });
});
