/** A change in Stripe's form, with former values of changed fields. */
export type Change<T> = { object: T; previous_attributes?: Partial<T> | undefined };

/**
 * Returns the object before a change; undefined without a change.
 * @see https://docs.stripe.com/api/events/object#event_object-data-previous_attributes
 */
export const before = <T extends object>({ object, previous_attributes: former }: Change<T>): T | undefined =>
  former && Object.keys(former).length > 0 ? { ...object, ...former } : undefined;

/** True if a condition was false before and is true now. */
export const became = <T extends object>(change: Change<T>, condition: (object: T) => boolean): boolean => {
  const former = before(change);
  return former !== undefined && condition(change.object) && !condition(former);
};
