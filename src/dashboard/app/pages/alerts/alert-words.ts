/** Words of an alert by kind, and the page that shows its cause. */
export const KINDS: Readonly<Record<string, readonly [words: string, to: string]>> = {
  "delivery.failed": ["Deliveries failed", "/deliveries"],
  "dispatch.blocked": ["The email service refuses the API key", "/deliveries/throughput"],
  "dispatch.outage": ["The email service does not answer", "/deliveries/throughput"],
  "dispatch.late": ["Deliveries are late", "/deliveries/throughput"],
  "answers.foreign": ["A proxy answers in place of the email service", "/deliveries/throughput"],
  "journal.deleted": ["Old webhooks were deleted early", "/deliveries/throughput"],
  "journal.full": ["The journal is full", "/deliveries/throughput"],
  "signatures.failing": ["Signatures do not match", "/sources"],
  "source.refusing": ["Every webhook is refused", "/sources"],
  "source.full": ["A source has many open deliveries", "/sources"],
  "source.silent": ["No webhook comes", "/sources"],
  "admin.refused": ["Wrong admin tokens were refused", "/settings/audit"],
};
