import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

const at = "2027-01-31T00:00:00.000Z";
const types = {
  string: {
    good: [
      ["pro", "pro"],
      ["", ""],
      ["x".repeat(500), "x".repeat(500)],
    ],
    bad: [1, true],
  },
  number: {
    good: [
      [3, 3],
      [0, 0],
      [-1.5, -1.5],
    ],
    bad: ["3", false, ""],
  },
  boolean: {
    good: [
      [true, true],
      [false, false],
    ],
    bad: ["true", 1, 0],
  },
  date: {
    good: [
      ["2027-01-31", at],
      [Date.parse(at), at],
      [at, at],
    ],
    bad: ["soon", true, "2027-02-30", ""],
  },
} as const;
const never = ["x".repeat(501), ["a"], { a: 1 }];

type Fields = Record<string, unknown>;
type Place = { name: string; path: (name: string) => string; put: (fields: Fields) => Fields };
const top: Place = { name: "top level", path: (name) => name, put: (fields) => fields };
const inside = (key: string): Place => ({
  name: key,
  path: (name) => `${key}.${name}`,
  put: (fields) => ({ [key]: fields }),
});
const nested = inside("properties");
const ofEvent = inside("contactProperties");

const operations = [
  { name: "contacts/create", method: "POST", base: { email: "ada@example.com" }, fresh: true, places: [top, nested] },
  { name: "contacts/update", method: "PUT", base: { email: "ada@example.com" }, places: [top, nested] },
  {
    name: "events/send",
    method: "POST",
    base: { email: "ada@example.com", eventName: "seen" },
    places: [top, nested, ofEvent],
  },
] as const;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  for (const type of Object.keys(types)) await team.post("/contacts/properties", { name: `${type}Value`, type });
});

describe.each(operations)("$name", (operation) => {
  const send = async (fields: Fields) => {
    if ("fresh" in operation) await team.post("/contacts/delete", { email: "ada@example.com" });
    const body = { ...operation.base, ...fields };
    return operation.method === "PUT" ? team.put(`/${operation.name}`, body) : team.post(`/${operation.name}`, body);
  };
  const stored = async () => (await team.find({ email: "ada@example.com" })) ?? { properties: {} };
  const { places } = operation;
  const pairs = places.flatMap((a) => places.filter((b) => b !== a).map((b) => [a, b] as const));

  it("accepts each type at each place, and shows it at both", async () => {
    for (const place of places) {
      for (const [type, { good }] of Object.entries(types)) {
        for (const [value, kept] of good) {
          const name = `${type}Value`;
          expect((await send(place.put({ [name]: value }))).status, `${place.name} ${name} ${value}`).toBe(200);
          const contact = await stored();
          expect([contact[name], contact.properties[name]]).toEqual([kept, kept]);
        }
      }
    }
  });

  it("accepts fields spread over both places", async () => {
    for (const [a, b] of pairs) {
      const fields = {
        ...a.put({ stringValue: "a", numberValue: 1 }),
        ...b.put({ booleanValue: true, dateValue: at }),
      };
      expect((await send(fields)).status).toBe(200);
      expect((await stored()).properties).toEqual({
        stringValue: "a",
        numberValue: 1,
        booleanValue: true,
        dateValue: at,
      });
    }
  });

  it("accepts the same value twice, refuses two values, and names both places", async () => {
    for (const [a, b] of pairs) {
      expect((await send({ ...a.put({ numberValue: 2 }), ...b.put({ numberValue: 2 }) })).status).toBe(200);
      for (const other of [3, "2", null]) {
        const before = await team.everything();
        const { status, json } = await send({ ...a.put({ numberValue: 2 }), ...b.put({ numberValue: other }) });
        expect([status, json.code]).toEqual([400, "invalid_request"]);
        for (const place of [a, b]) expect(json.message).toContain(place.path("numberValue"));
        if (!("fresh" in operation)) expect(await team.everything()).toBe(before);
      }
    }
  });

  it("refuses a value of the wrong type, of no type, or of 501 characters, and names the field", async () => {
    for (const place of places) {
      for (const [type, { bad }] of Object.entries(types)) {
        const name = `${type}Value`;
        for (const value of bad) {
          const { status, json } = await send(place.put({ [name]: value }));
          const got = [status, json.code, json.path];
          expect(got, `${type} ${value}`).toEqual([400, "wrong_property_type", place.path(name)]);
        }
        for (const value of never) {
          const { status, json } = await send(place.put({ [name]: value }));
          expect([status, json.code, json.path]).toEqual([400, "invalid_request", place.path(name)]);
        }
      }
      const unknown = await send(place.put({ firstName: "x".repeat(501) }));
      expect([unknown.status, unknown.json.path]).toEqual([400, place.path("firstName")]);
    }
  });

  it("refuses an unknown property by name, or creates it if the team's settings say so", async () => {
    for (const [i, place] of places.entries()) {
      await team.admin("POST", "", { createProperties: false });
      const name = `fresh${i}`;
      const refused = await send(place.put({ [name]: 5 }));
      expect([refused.status, refused.json.code, refused.json.path]).toEqual([
        400,
        "unknown_property",
        place.path(name),
      ]);
      expect(refused.json.message).toMatch(new RegExp(`"${name}".*/contacts/properties`));
      await team.admin("POST", "", { createProperties: true });
      for (const value of never) expect((await send(place.put({ [name]: value }))).status).toBe(400);
      expect((await send(place.put({ [name]: 5 }))).status).toBe(200);
      expect((await stored()).properties[name]).toBe(5);
      expect((await send(place.put({ [name]: "5" }))).json.code).toBe("wrong_property_type");
    }
  });

  it("clears an existing property with null, and creates none", async () => {
    for (const place of places) {
      await send({ stringValue: "a", numberValue: 1, firstName: "Ada", source: "import" });
      await send(place.put({ stringValue: null, firstName: null, source: null }));
      const contact = await stored();
      expect(contact.stringValue).toBeUndefined();
      expect(contact).toMatchObject({ firstName: null, source: "API" });
      expect(contact.properties).toEqual("fresh" in operation ? {} : { numberValue: 1 });
    }
  });

  it("accepts standard fields at each place, except those that cannot be set", async () => {
    for (const place of places) {
      const fields = { firstName: "Ada", lastName: "L", source: "s", userGroup: "g", subscribed: false };
      expect((await send(place.put(fields))).status).toBe(200);
      expect(await stored()).toMatchObject({ ...fields, properties: {} });
      for (const [name, value] of [
        ["id", "con_x"],
        ["createdAt", at],
        ["updatedAt", at],
        ["optInStatus", "accepted"],
        ["notes", "x"],
      ]) {
        const { status, json } = await send(place.put({ [name as string]: value }));
        expect([status, json.path]).toEqual([400, place.path(name as string)]);
      }
    }
  });

  it("refuses a place that is not a map", async () => {
    for (const place of places.filter((p) => p !== top)) {
      for (const value of ["x", 5, ["a"], true]) {
        expect((await send({ [place.name]: value })).json.path).toBe(place.name);
      }
    }
  });
});

it("fields of an event are refused elsewhere, and never become properties", async () => {
  await team.admin("POST", "", { createProperties: true });
  for (const name of ["eventName", "eventProperties", "contactProperties"]) {
    for (const fields of [{ [name]: "x" }, { properties: { [name]: "x" } }]) {
      expect((await team.put("/contacts/update", { userId: "u1", ...fields })).status).toBe(400);
    }
    expect((await team.post("/contacts/properties", { name, type: "string" })).json.path).toBe("name");
  }
});
