/**
 * Returns the product that is the plan after a change of the items. The plan stays while it is among the rivals. Then a
 * rival that is new, or the best one.
 *
 * @param plan the product before the change
 * @param former the rivals before the change, best first
 */
export const planAfter = (
  plan: string | undefined,
  former: readonly string[],
  rivals: readonly string[],
): string | undefined =>
  plan !== undefined && rivals.includes(plan) ? plan : (rivals.find((one) => !former.includes(one)) ?? rivals[0]);
