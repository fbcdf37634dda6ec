/**
 * Names of plans for people, by the id of a price, a plan or a product. A webhook has ids only, unless the price has a
 * nickname or a lookup key. The ids of test mode and live mode may stand side by side.
 *
 *     price_1SQn0bB7h3m8QwZxk2Yt5LsD: "Pro, monthly",
 *     prod_TNyq4Zr8cWm1Hu: "Pro",
 */
export const PLANS: Readonly<Record<string, string>> = {};
