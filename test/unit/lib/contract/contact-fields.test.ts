import { expect, it } from "vitest";
import { givenFields, standardProperties } from "../../../../src/lib/contract/contact-fields.ts";
import { contact } from "../../../../src/lib/contract/fields.ts";

it("says of the fields that a variable can name which have a value in every answer", () => {
  const names = ["id", ...standardProperties.map(({ name }) => name)] as const;
  const never = names.filter((name) => !contact.shape[name].safeParse(null).success);
  expect([...givenFields]).toEqual(never);
  expect(givenFields).not.toContain("firstName");
});
