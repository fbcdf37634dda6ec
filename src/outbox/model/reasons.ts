/** The reason of a thin event without a key. */
export const noKey = (variable: string): string =>
  `${variable} is not set, so the data of this thin event cannot be fetched.`;

/** Messages of deliveries settled by the bridge. `npm run why` matches them. */
export const reasons = {
  planOnly: "The source is in plan-only mode: this delivery would have been sent.",
  testData: 'Test data: the source does not have testData: "deliver".',
  notAllowed: "ALLOWED_RECIPIENTS does not contain this person's address.",
  ignored: "IGNORED_RECIPIENTS contains this person's address.",
  noTemplate: "TEMPLATES has no transactionalId",
  noList: "LISTS has no id",
  expired: "expired",
  unknownOutcome: "The email service may or may not have acted on it",
  tooOld: "too old",
  maybeSent: "The outcome of an earlier attempt is unknown: it may have been sent.",
  noContact: "No webhook has named this person, and the email service has no such contact. The delivery makes none.",
  notMade: "The contact with the unverified address was not made by the account, so it stays as it is.",
  ofAnotherUser:
    "The contact with the address of this person belongs to another user at the email service, so it stays.",
  noFormerContact: "The email service has no contact of its own for the former address of this user.",
  notFormerAddress: "The former address belongs to another user now, so its contact stays as it is.",
  ofAnother:
    "The contact of another user still has the new address of this user, who gets it once the other one has left it.",
  keptByAnother:
    "The contact of another user still has the address that this user has at the provider, so the contact of this user keeps its former one. Give the other contact its right address or delete it, then retry.",
  otherAddress: "The user has another address now.",
  byState: "Not made, by the stored state of",
  hasOther: "Not made, because the person has another running subscription:",
  showsOther: "The person has a better subscription, which the contact shows:",
  alreadyShown: "Another update has already shown what the customer brought along.",
  noLeftContact: "The email service has no contact any more that the customer left. The delivery makes none.",
  sentAlone: "The delivery is sent with the user id alone now.",
  becomeOne: "The delivery is sent with the user id alone now, and the two contacts then become one.",
  gone: "The provider has no data for this event:",
  notFetched: "The source has no fetchBack in src/sources.ts, so the data of this thin event cannot be fetched.",
  cameWithData: "Duplicate: another webhook is the same event with its data,",
  fetchedBefore: "The event came with its data, so nothing was fetched.",
  /** Some proxies send a 401 in this form too. */
  plainRefusal: "The email service accepts the API key, so something in front of it answered",
  keyAccepted: "The email service accepts the API key, so the delivery is sent once more.",
} as const;
