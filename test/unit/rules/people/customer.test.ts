import { expect, test } from "vitest";
import { customer, idOf } from "../../../../src/rules/people/customer.ts";

test("customer takes an id or an expanded object", () => {
  expect([customer("cus_1"), customer({ id: "cus_1" })]).toEqual([{ ref: "cus_1" }, { ref: "cus_1" }]);
  expect([customer(null), customer(undefined), customer("")]).toEqual([{}, {}, {}]);
  expect([idOf("a"), idOf({ id: "b" }), idOf(null), idOf("")]).toEqual(["a", "b", undefined, undefined]);
});
