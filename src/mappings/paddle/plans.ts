import { mainItem, type PlanChoice, type PlanNames } from "../../rules/billing/plan-item.ts";

/**
 * Plan names by id of a price or product; they override the product's name.
 *
 * pri_01klxkwjmh65bem4xxittrbgvj: "Pro, monthly",
 */
export const PLANS: PlanNames = {};

/**
 * Chooses the plan among the items of a subscription. An own choice goes first:
 *
 * items.find(({ product }) => product === "pro_01ksoixl88z3a2ojbtlvoc2s7g") ?? mainItem(items, PLANS, former)
 */
export const planItem: PlanChoice = (items, former) => mainItem(items, PLANS, former);
