type Named = { name?: string | null; individual_name?: string | null; business_name?: string | null };

/** Returns the person's own name of a Stripe customer or checkout: never a business name. */
export const personName = ({ name, individual_name: own, business_name: business }: Named): string | undefined =>
  own || (name && name !== business ? name : undefined);
