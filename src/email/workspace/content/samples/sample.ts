/** A transactional template a new workspace starts with. `fromEmail` is the part before the @ of the team's domain. */
export type SampleTemplate = {
  id: string;
  name: string;
  subject: string;
  previewText: string;
  fromName: string;
  fromEmail: string;
  lmx: string;
};
