import { describe, expect, it } from "vitest";
import {
  causesOf,
  changesOf,
  draftOf,
  EMPTY,
  type Endpoint,
  eventsInWords,
  fieldsOf,
  lacksEvents,
  type Notification,
  replayFields,
  replayInWords,
  stateOf,
} from "../../../src/dashboard/app/pages/endpoints/endpoint-words.ts";

const endpoint: Endpoint = {
  id: "whk_1",
  url: "https://app.example.com/",
  description: "CRM",
  events: ["contact.created"],
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  notice: null,
  previousSecretUntil: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};
const at = "2026-01-31T12:00:00.000Z";

describe("an outgoing webhook", () => {
  it("is enabled, failing or disabled", () => {
    expect(stateOf(endpoint)).toBe("enabled");
    expect(stateOf({ ...endpoint, failingSince: at })).toBe("failing");
    expect(stateOf({ ...endpoint, failingSince: at, enabled: false })).toBe("disabled");
  });

  it("says which events it gets", () => {
    expect(eventsInWords({ events: [] })).toBe("all");
    expect(eventsInWords(endpoint)).toBe("contact.created");
    expect(eventsInWords({ events: ["a", "b", "c"] })).toBe("a and 2 more");
  });

  it("is saved field by field: an address that stays is not sent, because a new one needs a proof", () => {
    const draft = draftOf(endpoint);
    expect(changesOf(endpoint, draft)).toEqual({});
    expect(changesOf(endpoint, { ...draft, description: " CRM two " })).toEqual({ description: "CRM two" });
    expect(changesOf(endpoint, { ...draft, url: "https://b.example.com/" })).toEqual({ url: "https://b.example.com/" });
    expect(changesOf(endpoint, { ...draft, isAll: true })).toEqual({ events: [] });
    const more = [...draft.events, "email.opened"];
    expect(changesOf(endpoint, { ...draft, events: more })).toEqual({ events: ["contact.created", "email.opened"] });
  });

  it("never gets all events where a person has chosen none", () => {
    expect(lacksEvents(EMPTY)).toBe(false);
    expect(lacksEvents({ ...EMPTY, isAll: false })).toBe(true);
    expect(fieldsOf({ ...EMPTY, url: " https://a.example.com/ ", events: ["email.opened"] })).toEqual({
      url: "https://a.example.com/",
      description: "",
      events: [],
    });
  });
});

describe("deliveries", () => {
  const failed = (state: Notification["state"], last?: Notification["lastAttempts"][number]): Notification => ({
    eventId: "evt",
    type: "contact.created",
    createdAt: at,
    state,
    attempts: 1,
    nextAttemptAt: null,
    lastAttempts: last ? [{ at, ms: 5, status: 200 }, last] : [],
  });

  it("are counted by the cause of their newest failure", () => {
    expect(
      causesOf([
        failed("waiting", { at, ms: 5, status: 500, response: "oops" }),
        failed("failed", { at, ms: 5, error: "connection refused" }),
        failed("failed", { at, ms: 5, error: "connection refused" }),
        failed("delivered", { at, ms: 5, status: 204 }),
        failed("waiting"),
      ]),
    ).toEqual([
      { cause: "connection refused", events: 2, example: "" },
      { cause: "HTTP 500", events: 1, example: "oops" },
    ]);
  });
});

describe("a replay", () => {
  it("needs its time, unless it is for those that were given up", () => {
    const span = { what: "span", since: "", until: "" } as const;
    expect(replayFields({ ...span, what: "failed" })).toEqual({ failed: true });
    expect(replayFields(span)).toBeUndefined();
    const since = new Date("2026-01-31T12:00").toISOString();
    expect(replayFields({ ...span, since: "2026-01-31T12:00" })).toEqual({ since });
    expect(replayFields({ ...span, since: "2026-01-31T12:00", until: "2026-01-31T13:00" })).toEqual({
      since,
      until: new Date("2026-01-31T13:00").toISOString(),
    });
  });

  it("says how many events it delivers again", () => {
    expect(replayInWords(0)).toBe("No event would be delivered again.");
    expect(replayInWords(1)).toContain("1 event would be delivered again, with its id");
    expect(replayInWords(2)).toContain("2 events would be delivered again, with their ids");
  });
});
