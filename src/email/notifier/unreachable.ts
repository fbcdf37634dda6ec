import type { Resolve } from "../mail/dns/answer.ts";
import { privateNetworkOf } from "./private-networks.ts";

const TYPES = ["A", "AAAA"] as const;

/** Returns why a host could not be called where private networks are closed; undefined if its addresses do not tell. */
export const whyUnreachable = async (resolve: Resolve, host: string): Promise<string | undefined> => {
  const answers = await Promise.all(TYPES.map((type) => resolve({ type, host })));
  for (const address of answers.flatMap((answer) => (answer.status === "found" ? answer.values : []))) {
    const network = privateNetworkOf(address);
    if (network !== undefined)
      return `not called: ${host} points to ${address}, which is ${network}. Point it to a public address. WEBHOOKS_ALLOW_PRIVATE=1 allows private ones, for development`;
  }
  const isNowhere = answers.every(({ status }) => status === "none");
  return isNowhere ? `not called: ${host} has no address in the DNS (no A or AAAA record)` : undefined;
};
