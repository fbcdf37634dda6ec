/** A change as Stripe tells it: the object as it is, and of what changed the former values. */
export type Change<T> = { object: T; previous_attributes?: Partial<T> | undefined };

/**
 * The object as it was before a change: itself with the former values over it. Undefined where the webhook tells of no
 * change, so that what is derived from one cannot fire.
 * @see https://docs.stripe.com/api/events/object#event_object-data-previous_attributes
 */
export const before = <T extends object>({ object, previous_attributes: former }: Change<T>): T | undefined =>
  former && Object.keys(former).length > 0 ? { ...object, ...former } : undefined;

/**
 * True where a change made a condition true that was false: `became(e.data, (it) => it.status === "past_due")`. An update
 * of something else finds it as true before as after.
 */
export const became = <T extends object>(change: Change<T>, condition: (object: T) => boolean): boolean => {
  const former = before(change);
  return former !== undefined && condition(change.object) && !condition(former);
};
