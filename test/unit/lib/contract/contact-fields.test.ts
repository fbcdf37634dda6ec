import { expect, it } from "vitest";
import {
  dataFields,
  givenFields,
  nameFields,
  standardProperties,
  writableFields,
} from "../../../../src/lib/contract/contact-fields.ts";
import { contact } from "../../../../src/lib/contract/fields.ts";

it("says of the fields that a variable can name which have a value in every answer", () => {
  const names = ["id", ...standardProperties.map(({ name }) => name)] as const;
  const never = names.filter((name) => !contact.shape[name].safeParse(null).success);
  expect([...givenFields]).toEqual(never);
  expect(givenFields).not.toContain("firstName");
});

it("names the fields that people and imports give, those stored as data, and the names of a person", () => {
  const given = ["firstName", "lastName", "source", "subscribed", "userGroup"];
  expect(writableFields.toSorted()).toEqual([...given, "email", "userId"].toSorted());
  expect(dataFields).toEqual([...given, "optInStatus"]);
  expect(nameFields).toEqual(["firstName", "lastName"]);
});
