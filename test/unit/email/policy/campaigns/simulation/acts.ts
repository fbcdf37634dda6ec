import type { ContactAction } from "../../../../../../src/email/workspace/contacts/recipient.ts";
import type { ModelContact } from "../../workflows/simulation/people.ts";
import { join, remove } from "./model.ts";
import type { Play } from "./play.ts";

type Identity = { userId?: string; email?: string };

const find = (contacts: ReadonlyMap<number, ModelContact>, { userId, email }: Identity) => {
  const all = [...contacts.values()];
  const byEmail = email === undefined ? undefined : all.find((one) => one.email === email);
  return { byEmail, byUserId: userId === undefined ? undefined : all.find((one) => one.userId === userId) };
};

const identity = ({ random, people, halves }: Play): Identity => {
  const userId = `u${random.int(1, people)}`;
  const email = `${userId}${random.chance(0.06) ? "+new" : ""}@example.com`;
  return random.chance(halves) ? random.one<Identity>([{ userId }, { email }]) : { userId, email };
};

const fields = ({ random }: Play) => ({
  ...(random.chance(0.5) ? { plan: random.one(["free", "pro", "PRÖ", null]) } : {}),
  ...(random.chance(0.3) ? { seats: random.int(0, 6) } : {}),
  ...(random.chance(0.12) ? { subscribed: random.chance(0.5) } : {}),
  ...(random.chance(0.4) ? { mailingLists: { lst_1: random.chance(0.75) } } : {}),
});

const write = (play: Play, who: Identity, act: () => { refusal?: { code: string } }): void => {
  const { stored, check, fail } = play;
  const { byEmail, byUserId } = find(stored.contacts(), who);
  const areTwo = byEmail !== undefined && byUserId !== undefined && byEmail.n !== byUserId.n;
  const isRefused = areTwo && (byEmail.userId !== null || byUserId.email !== null);
  const alone = stored.alone(byUserId?.n ?? 0);
  const { refusal } = act();
  if ((refusal !== undefined) !== isRefused) fail(`${JSON.stringify(who)} was answered with ${refusal?.code}`);
  if (areTwo && !isRefused) join(check.state(), byUserId.n, byEmail.n, alone);
  check.check();
};

const update = (play: Play): void => {
  const who = identity(play);
  const given = { ...who, ...fields(play) };
  play.tell(`update ${JSON.stringify(given)}`);
  write(play, who, () => play.engine.update(given));
};

export const add = (play: Play): void => {
  play.people += 1;
  const who = { userId: `u${play.people}`, email: `u${play.people}@example.com` };
  const given = { ...who, ...fields(play), ...(play.random.chance(0.7) ? { mailingLists: { lst_1: true } } : {}) };
  play.tell(`add ${JSON.stringify(given)}`);
  write(play, who, () => play.engine.update(given));
};

const send = (play: Play): void => {
  const who = identity(play);
  const given = { ...who, eventName: "paid", eventProperties: { amount: play.random.int(1, 9) } };
  play.tell(`event ${JSON.stringify(given)}`);
  write(play, who, () => play.engine.send(given));
};

const erase = (play: Play): void => {
  const { engine, stored, check, tell, fail } = play;
  const { userId, email } = identity(play);
  const who: Identity = userId === undefined ? { email: email ?? "" } : { userId };
  const { byEmail, byUserId } = find(stored.contacts(), who);
  const contact = byUserId ?? byEmail;
  tell(`delete ${JSON.stringify(who)}`);
  if (!contact) {
    engine.remove(who);
    return;
  }
  const alone = stored.alone(contact.n);
  engine.remove(who);
  remove(check.state(), contact.n, alone);
  const left = stored.tracesOf(contact);
  if (left.length > 0) fail(`a deleted contact still has rows in ${left.join()}`);
  check.check();
};

const recipient = (play: Play): void => {
  const { random, engine, stored, check, tell } = play;
  const contacts = [...stored.contacts().values()].filter(({ email }) => email !== null);
  if (contacts.length === 0) return;
  const one = random.one(contacts);
  const action = random.one<ContactAction>([
    ...([{ do: "leave" }, { do: "unsubscribe" }, { do: "unsubscribe" }, { do: "resubscribe" }] as const),
    ...([{ do: "confirm" }, { do: "reject" }] as const),
    { do: "choose", lists: { lst_1: random.chance(0.5) } },
  ]);
  const list = random.chance(0.5) ? "lst_1" : undefined;
  tell(`page ${one.id} ${JSON.stringify(action)} ${list}`);
  engine.recipient(one.n, action, list);
  check.check();
};

const suppress = (play: Play): void => {
  const email = `u${play.random.int(1, play.people)}@example.com`;
  play.tell(`suppress ${email}`);
  play.engine.suppress(email);
  play.check.check();
};

export const actOnContact = (play: Play): void =>
  play.random.one([
    update,
    update,
    update,
    update,
    update,
    add,
    add,
    send,
    send,
    erase,
    recipient,
    recipient,
    recipient,
    suppress,
  ])(play);
