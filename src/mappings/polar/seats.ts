import { type PolarEvent, type PolarSeat, polar } from "../../handlers/polar.ts";
import { isKnown } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import { type Contact, rules } from "../../rules/types.ts";

type Seat = { data: PolarSeat };

/** The customer of a seat is the team that pays, so its id never names the person. */
const person = ({ data: { email, member, customer_email } }: Seat): Contact => ({
  email: email ?? member?.email ?? customer_email ?? undefined,
});

/** True for a webhook about a seat, which ties no address to the customer. */
export const isOfSeat = (e: PolarEvent): e is Extract<PolarEvent, { type: `customer_seat.${string}` }> =>
  e.type.startsWith("customer_seat.");

const name = guessedName(({ data: { member } }: Seat) => member?.name, "purchase");
const seat = { subscription: (e: Seat) => e.data.subscription_id, order: (e: Seat) => e.data.order_id };

// Polar invites the person by mail itself. A member without a seat (`member.*`) makes no delivery.
export default rules(polar, [
  {
    name: "seat assigned",
    on: "customer_seat.assigned",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: { name: "seatAssigned", properties: seat },
  },
  {
    name: "seat claimed",
    on: "customer_seat.claimed",
    when: (e) => isKnown(person(e)),
    contact: person,
    update: name,
    event: { name: "seatClaimed", properties: seat },
  },
  {
    name: "seat revoked",
    on: "customer_seat.revoked",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: { name: "seatRevoked", properties: seat, onlyKnown: true },
  },
]);
