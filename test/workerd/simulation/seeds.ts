/** Seeds that once broke a promise, and the cause. They always run. */
export const regressions: readonly { seed: number; showed: string }[] = [
  { seed: 102, showed: "a pump that was started for a key check left the delivery without its outcome" },
  { seed: 7, showed: "an update was replaced by one in the same request, which was refused then" },
  { seed: 3, showed: "after a 403 to a joined request, its first update had failed" },
  { seed: 49, showed: "two mails to a contact that the email service refuses took all probes of a blocked queue" },
  { seed: 34, showed: "a due time changed inside a heap: a delivery whose identity link had come waited on" },
  { seed: 410, showed: "as 34" },
  {
    seed: 933,
    showed: "a webhook without deliveries brought the link that deliveries waited for; after a crash no alarm was set",
  },
  { seed: 1724, showed: "a stall and jitter together took more than the guard: 11 requests in a second" },
  {
    seed: 5322,
    showed: "requests delayed by a stall were erased in a crash: 11 requests in a second",
  },
  { seed: 1130, showed: "a request of a process that had ended arrived late: 11 requests in a second" },
  { seed: 1518, showed: "deliveries of two persons with equal times were expected in the order of acceptance" },
  { seed: 5029, showed: "a late request was expected to have another value than the delivery that makes it once more" },
  {
    seed: 6884,
    showed: "a duplicate during an alarm set the alarm of the purge; after a crash deliveries waited for it",
  },
  { seed: 7602, showed: "a stall right after a start made its answer times the usual ones: 11 requests in a second" },
  { seed: 7618, showed: "the object's clock was set forward: requests before and after it were counted in one second" },
  { seed: 7869, showed: "as 7618, with a key check" },
  { seed: 7959, showed: "a deletion was expected to be made once more after a newer update of the person" },
  { seed: 20230, showed: "a removal was expected to delete a contact that belongs to another user" },
  { seed: 22100, showed: "a contact made again after a deletion was expected to have no property of a late request" },
  { seed: 1281, showed: "answers to requests that left before an outage delayed its news by more than 15 s" },
];
