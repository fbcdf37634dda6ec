import { describe, expect, test } from "vitest";
import ruleSet from "../../../../src/mappings/stripe.ts";
import { type Body, recorded } from "../recorded.ts";

const { all, planFor } = recorded(ruleSet);

const TEMPLATES = ["trial-ending", "cancellation", "ended-unpaid"];
const mailsIn = async (name: string, metadata: unknown) => {
  const { deliveries } = await planFor(name, (body: Body) => {
    body.data.object.metadata = metadata;
  });
  return deliveries.flatMap((one) =>
    one.action === "transactional" && TEMPLATES.includes(one.template) ? [one.dataVariables] : [],
  );
};

const recordings = (await all()).filter(({ deliveries }) =>
  deliveries.some((one) => one.action === "transactional" && TEMPLATES.includes(one.template)),
);

test("every mail about a subscription has a recording", () => {
  const used = recordings.flatMap(({ deliveries }) => deliveries.map((one) => "template" in one && one.template));
  expect(used).toEqual(expect.arrayContaining(TEMPLATES));
});

describe.each(recordings)("the mail of $name", ({ name }) => {
  test("greets by the first name in the metadata of the subscription", async () => {
    expect(await mailsIn(name, { first_name: "Ada" })).toEqual([expect.objectContaining({ name: "Ada" })]);
    expect(await mailsIn(name, { given_name: " Grace " })).toEqual([expect.objectContaining({ name: "Grace" })]);
  });

  test("has no name from other metadata, such as that of a workspace", async () => {
    for (const metadata of [{ name: "Acme workspace" }, { first_name: "" }, { first_name: 1 }, {}, null, undefined])
      expect(await mailsIn(name, metadata)).toEqual([expect.not.objectContaining({ name: expect.anything() })]);
  });
});
