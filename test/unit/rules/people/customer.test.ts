import { expect, test } from "vitest";
import { customer, idOf, isKnown } from "../../../../src/rules/people/customer.ts";

test("customer takes an id or an expanded object", () => {
  expect([customer("cus_1"), customer({ id: "cus_1" })]).toEqual([{ ref: "cus_1" }, { ref: "cus_1" }]);
  expect([customer(null), customer(undefined), customer("")]).toEqual([{}, {}, {}]);
  expect([idOf("a"), idOf({ id: "b" }), idOf(null), idOf("")]).toEqual(["a", "b", undefined, undefined]);
});

test("a contact is known by any of its identifiers", () => {
  expect([{ email: "ada@example.com" }, { userId: "u1" }, { ref: "cus_1" }].map(isKnown)).toEqual([true, true, true]);
  expect([{}, { email: "" }, { email: undefined, ref: undefined }].map(isKnown)).toEqual([false, false, false]);
});
