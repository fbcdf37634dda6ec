/** Display names of plans, by id of price, plan or product. */
export type PlanNames = Readonly<Record<string, string>>;

/** An item of a subscription or a line of its invoice. */
export type PlanItem = {
  /** Ids of the price, plan and product. */
  ids: readonly string[];
  product?: string | undefined;
  name?: string | undefined;
  /** True for usage, one-time charges and prorations. */
  extra: boolean;
  /** True if a text of the item other than its name calls it an add-on. */
  addOn?: boolean;
  /** Minor units of one unit a month; undefined without a fixed price. */
  monthly?: number | undefined;
  quantity: number;
  /** Unix seconds. */
  addedAt?: number | undefined;
};

/** Chooses the plan of a subscription. `former`: the product of the plan before the change. */
export type PlanChoice = <Item extends PlanItem>(items: readonly Item[], former?: string) => Item | undefined;

/**
 * Returns the products that may be the plan, by the items alone the best first: each is the choice where it was the plan
 * before.
 */
export const rivalsOf = (items: readonly PlanItem[], choose: PlanChoice): string[] => {
  const [only, ...others] = items;
  if (others.length === 0) return only?.product === undefined ? [] : [only.product];
  const able = new Set(items.flatMap(({ product }) => product ?? []));
  for (const product of able) if (choose(items, product)?.product !== product) able.delete(product);
  const rivals: string[] = [];
  while (able.size > 0) {
    const left = items.filter(({ product = "" }) => able.has(product));
    const best = choose(left)?.product ?? left[0]?.product ?? "";
    rivals.push(best);
    if (!able.delete(best)) break;
  }
  return rivals;
};

/** Returns the name that `names` has for one of the ids, in their order. */
export const nameIn = (names: PlanNames, ids: readonly string[]): string | undefined => {
  const id = ids.find((each) => Object.hasOwn(names, each));
  return id === undefined ? undefined : names[id];
};

/** Matches "Analytics addon", "Monthly (recurring add-on)", "addon_sso". */
const ADD_ON = /^\W*add[-_ ]?ons?(?![a-z])|(?<![a-z])add[-_ ]?ons?\W*$/i;

/** True if a name, key or description begins or ends as that of an add-on. */
export const saysAddOn = (...texts: readonly (string | null | undefined)[]): boolean =>
  texts.some((text) => text && ADD_ON.test(text));

/**
 * Returns the item that is the plan, in any order of the items. Extra and free items are left out; then an item that
 * `names` names, no add-on, the former product, the dearest unit. Of equal price: the earlier one, the shorter name.
 */
export const mainItem = <Item extends PlanItem>(
  items: readonly Item[],
  names: PlanNames,
  former?: string,
): Item | undefined => {
  if (items.length <= 1) return items[0];
  const charged = items.filter(({ extra, monthly, quantity }) => !extra && monthly !== 0 && quantity !== 0);
  const isNamed = ({ ids }: Item) => Number(nameIn(names, ids) !== undefined);
  const isAddOn = ({ name, addOn }: Item) => Number(addOn === true || saysAddOn(name));
  const wasPlan = ({ product }: Item) => Number(product !== undefined && product === former);
  const price = ({ monthly }: Item) => monthly ?? -Number.MAX_VALUE;
  const [first] = (charged.length > 0 ? charged : items).toSorted(
    (a, b) =>
      isNamed(b) - isNamed(a) ||
      isAddOn(a) - isAddOn(b) ||
      wasPlan(b) - wasPlan(a) ||
      price(b) - price(a) ||
      (a.addedAt ?? 0) - (b.addedAt ?? 0) ||
      (a.name ?? "").length - (b.name ?? "").length ||
      (a.ids.join() < b.ids.join() ? -1 : 1),
  );
  return first;
};
