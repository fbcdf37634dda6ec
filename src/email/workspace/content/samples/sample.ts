/** A transactional template of a new team. `fromEmail` is the part before the @ of the team's domain. */
export type SampleTemplate = {
  id: string;
  name: string;
  subject: string;
  previewText: string;
  fromName: string;
  fromEmail: string;
  lmx: string;
};
