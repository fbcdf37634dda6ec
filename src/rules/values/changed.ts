/** A change in Stripe's form: the current object, and the former values of the changed fields. */
export type Change<T> = { object: T; previous_attributes?: Partial<T> | undefined };

/**
 * The object before a change. Undefined where the webhook contains no change, so that no rule can mistake a repeated
 * state for a transition.
 * @see https://docs.stripe.com/api/events/object#event_object-data-previous_attributes
 */
export const before = <T extends object>({ object, previous_attributes: former }: Change<T>): T | undefined =>
  former && Object.keys(former).length > 0 ? { ...object, ...former } : undefined;

/**
 * True where a condition was false before a change and is true now: `became(e.data, (it) => it.status === "past_due")`.
 * False for an update of other fields.
 */
export const became = <T extends object>(change: Change<T>, condition: (object: T) => boolean): boolean => {
  const former = before(change);
  return former !== undefined && condition(change.object) && !condition(former);
};
