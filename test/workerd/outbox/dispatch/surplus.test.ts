import { expect, it } from "vitest";
import { CALL } from "../../../../src/lib/contract/echo.ts";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
const success = (id: string, headers: Record<string, string> = {}) => Response.json({ success: true, id }, { headers });

it.each([
  ["the id of a contact for a mail", mail(ada), () => success("con_1")],
  ["the id of a contact for an event", event(ada), () => success("con_1")],
  ["the id of a mail for a contact", update(ada, { plan: "pro" }), () => success("snd_1")],
  ["the mark of another request", update(ada, { plan: "pro" }), () => success("con_1", { [CALL]: "another" })],
  ["the key of another request", mail(ada), () => success("snd_1", { "Idempotency-Key": "another" })],
  ["a refusal of another request", mail(ada), () => failure(400, "no", { [CALL]: "another" })],
])("an answer with %s leaves the outcome unknown, and the request is sent again", async (_, delivery, answer) => {
  const { accept, deliveries, service } = await createBench();
  service.before = () => (service.received.length === 1 ? answer() : undefined);
  const { id } = await accept({ deliveries: [delivery] });
  const [settled] = await deliveries(id);
  expect(settled).toMatchObject({ state: "done", attempts: [{}, { status: 200 }] });
  expect(settled?.attempts[0]?.message).toMatch(/^Something in front of the email service answered \d+ with the/);
  expect(service.acted).toHaveLength(1);
  expect(service.received.map(({ key }) => key)).toEqual(Array(2).fill(service.received[0]?.key));
});

it("the gateway gives no answer of another request away", async () => {
  const { during, service } = await createBench();
  service.before = () => success("con_of_another_person", { [CALL]: "another" });
  const forward = { method: "POST", path: "/v1/contacts/update", headers: [], body: "{}" };
  expect(await during((outbox) => outbox.forward(forward, 5_000))).toEqual({
    refused: "unreachable",
    message:
      "Something in front of the email service answered 200 with the answer of another request. It may have acted: try again with the same Idempotency-Key.",
  });
});
