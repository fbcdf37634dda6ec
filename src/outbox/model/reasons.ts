/** Messages, or their first words, of calls that the bridge settled by itself. `npm run why` finds the remedy by them. */
export const reasons = {
  shadow: "The source is in shadow mode: this call would have been sent.",
  testData: 'Test data: the source does not have testData: "deliver".',
  notAllowed: "ALLOWED_RECIPIENTS does not contain this person's address.",
  noTemplate: "TEMPLATES has no transactionalId",
  noList: "LISTS has no id",
  expired: "expired",
  unknownOutcome: "The host may or may not have acted on it",
  tooOld: "too old",
  /** Ends the message of a mail or an event that is settled without the outcome of an earlier attempt. */
  maybeSent: "The outcome of an earlier attempt is unknown: it may have been sent.",
  /** A call about the end of something is done without a request that changes anything. */
  noContact: "No webhook has named this person, and the host has no such contact. The call makes none.",
  /** The same for the removal of an unverified account, and for the contact with the address of a deleted person. */
  notMade: "The contact with the unverified address was not made by the account, so it stays as it is.",
  ofAnotherUser: "The contact with the address of this person belongs to another user at the host, so it stays.",
  /** A call that moves the values of a former address has nothing to move. */
  noFormerContact: "The host has no contact of its own for the former address of this user.",
  notFormerAddress: "The former address belongs to another user now, so its contact stays as it is.",
  /** Begins the message of an update about one subscription where the contact shows another one. */
  showsOther: "The person has a better subscription, which the contact shows:",
  /** Ends the message of an attempt that the host refused because user id and address belong to two contacts. */
  sentAlone: "The call is sent with the user id alone now.",
  /** Begins the message of an attempt that got a 401 in a form that proxies use too, while the host accepts the API key. */
  plainRefusal: "The host accepts the API key, so something in front of it answered",
  /** Ends the message of an attempt that the host refused with 401 or 403 although it accepts the API key. */
  keyAccepted: "The host accepts the API key, so the call is sent once more.",
} as const;
