/** Seeds that once showed that a promise was not kept, and what the matter was. They always run. */
export const regressions: readonly { seed: number; showed: string }[] = [
  { seed: 7, showed: "an update was superseded by one that left with it and was refused then" },
  { seed: 3, showed: "of updates that were refused together with a 403, the first was dead" },
  { seed: 49, showed: "two mails to a contact that the host blocks took all probes of a held queue in turn" },
  { seed: 34, showed: "a heap went by due times that changed: a call whose person had become known waited on" },
  { seed: 410, showed: "as 34" },
  { seed: 933, showed: "a webhook without calls told what calls waited for; a crash, and no alarm" },
  { seed: 1724, showed: "a stall and jitter together took more than the guard: 11 requests in a second" },
  {
    seed: 5322,
    showed: "starts that a stall had squeezed together were forgotten in a crash: 11 requests in a second",
  },
];
