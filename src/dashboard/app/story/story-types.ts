/** `result` is the email service's id of a send or event. */
export type StoryDelivery = {
  id: string;
  rule: string;
  action: string;
  state: string;
  why: string;
  result?: string | undefined;
  template?: string | undefined;
  eventName?: string | undefined;
  properties?: Readonly<Record<string, unknown>> | undefined;
};

type Outcome = { rule: string; outcome: string; why: string };

export type StoryWebhook = {
  id: string;
  source: string;
  type: string;
  acceptedAt: string;
  why: string;
  outcomes?: readonly Outcome[] | undefined;
  deliveries: readonly StoryDelivery[];
};

type Named = { id: string; name: string } | null;

export type StoryMail = {
  id: string;
  class: string;
  to: string;
  state: string;
  meaning: string;
  template: Named;
  campaign: Named;
  workflow: Named;
  subject: string | null;
  acceptedAt: string;
  openedAt: string | null;
  clickedAt: string | null;
};
