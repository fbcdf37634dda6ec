import type { ContactAction } from "../../../../../../src/email/workspace/contacts/recipient.ts";
import { enter, join, remove as removeFrom } from "./model.ts";
import { type ModelContact, merged } from "./people.ts";
import type { Play } from "./play.ts";

type Identity = { userId?: string; email?: string };

const find = (contacts: ReadonlyMap<number, ModelContact>, { userId, email }: Identity) => {
  const all = [...contacts.values()];
  const byEmail = email === undefined ? undefined : all.find((one) => one.email === email);
  return { byEmail, byUserId: userId === undefined ? undefined : all.find((one) => one.userId === userId) };
};

const identity = ({ random, halves }: Play): Identity => {
  const userId = `u${random.int(1, 6)}`;
  const email = `${userId}${random.chance(0.06) ? "+new" : ""}@example.com`;
  return random.chance(halves) ? random.one<Identity>([{ userId }, { email }]) : { userId, email };
};

const fields = ({ random }: Play) => ({
  ...(random.chance(0.5) ? { plan: random.one(["free", "pro", "PRÖ", null]) } : {}),
  ...(random.chance(0.3) ? { seats: random.int(0, 6) } : {}),
  ...(random.chance(0.12) ? { subscribed: random.chance(0.5) } : {}),
  ...(random.chance(0.4) ? { mailingLists: { lst_1: random.chance(0.75) } } : {}),
});

const write = (play: Play, who: Identity, act: () => { refusal?: { code: string } }, event?: string): void => {
  const { stored, check, now, fail } = play;
  const { byEmail, byUserId } = find(stored.contacts(), who);
  const areTwo = byEmail !== undefined && byUserId !== undefined && byEmail.n !== byUserId.n;
  const isRefused = areTwo && (byEmail.userId !== null || byUserId.email !== null);
  const { refusal } = act();
  if ((refusal !== undefined) !== isRefused) fail(`${JSON.stringify(who)} was answered with ${refusal?.code}`);
  if (refusal) return;
  const state = check.state();
  const workflows = check.workflows();
  if (areTwo) {
    const byMessage = new Map(stored.messages().map(({ id, workflow }) => [id, workflow]));
    const workflowOf = (message: string) => byMessage.get(message) ?? 0;
    join(state, [byUserId.n, byEmail.n], { workflows, workflowOf, now: now() });
  }
  const before = areTwo ? merged(byEmail, byUserId) : (byUserId ?? byEmail);
  const contacts = stored.contacts();
  const found = find(contacts, who);
  const after = found.byUserId ?? found.byEmail;
  if (!after) {
    fail(`${JSON.stringify(who)} was written and is not there`);
    return;
  }
  enter(state, workflows, { before, after }, now());
  if (event !== undefined) enter(state, workflows, { before: after, after, event }, now());
  check.check();
};

const update = (play: Play): void => {
  const who = identity(play);
  const given = { ...who, ...fields(play) };
  play.tell(`update ${JSON.stringify(given)}`);
  write(play, who, () => play.engine.update(given));
};

const send = (play: Play): void => {
  const { random } = play;
  const who = identity(play);
  const eventName = random.one(["paid", "paid", "seen", "seen", "Paid"]);
  const more = random.chance(0.3) ? fields(play) : {};
  const given = { ...who, eventName, eventProperties: { amount: random.int(1, 9) }, ...more };
  play.tell(`event ${JSON.stringify(given)}`);
  write(play, who, () => play.engine.send(given), eventName);
};

const remove = (play: Play): void => {
  const { engine, stored, check, tell, fail } = play;
  const { userId, email } = identity(play);
  const who: Identity = userId === undefined ? { email: email ?? "" } : { userId };
  const { byEmail, byUserId } = find(stored.contacts(), who);
  const contact = byUserId ?? byEmail;
  tell(`delete ${JSON.stringify(who)}`);
  engine.remove(who);
  if (!contact) return;
  removeFrom(check.state(), contact.n);
  const left = stored.tracesOf(contact);
  if (left.length > 0) fail(`a deleted contact still has rows in ${left.join()}`);
  check.check();
};

const recipient = (play: Play): void => {
  const { random, engine, stored, check, now, tell } = play;
  const contacts = [...stored.contacts().values()].filter(({ email }) => email !== null);
  if (contacts.length === 0) return;
  const before = random.one(contacts);
  const action = random.one<ContactAction>([
    ...([{ do: "leave" }, { do: "unsubscribe" }, { do: "resubscribe" }, { do: "resubscribe" }] as const),
    ...([{ do: "confirm" }, { do: "confirm" }, { do: "confirm" }, { do: "reject" }] as const),
    { do: "choose", lists: { lst_1: random.chance(0.5) } },
  ]);
  const list = random.chance(0.5) ? "lst_1" : undefined;
  tell(`page ${before.id} ${JSON.stringify(action)} ${list}`);
  engine.recipient(before.n, action, list);
  const after = stored.contacts().get(before.n);
  if (after) enter(check.state(), check.workflows(), { before, after }, now());
  check.check();
};

const suppress = (play: Play): void => {
  const email = `u${play.random.int(1, 6)}@example.com`;
  play.tell(`suppress ${email}`);
  play.engine.suppress(email);
  play.check.check();
};

export const actOnContact = (play: Play): void =>
  play.random.one([
    ...Array<typeof send>(6).fill(update),
    ...Array<typeof send>(6).fill(send),
    remove,
    recipient,
    recipient,
    suppress,
  ])(play);
