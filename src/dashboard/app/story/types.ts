/** A call, as far as a story needs it. `result`: the id that the host returned, of a send or of an event. */
export type StoryCall = {
  id: string;
  rule: string;
  action: string;
  state: string;
  why: string;
  result?: string | undefined;
};

/** What a rule did about a webhook. `why` says which condition was false. */
type Outcome = { rule: string; outcome: string; why: string };

export type StoryWebhook = {
  id: string;
  source: string;
  type: string;
  acceptedAt: string;
  why: string;
  outcomes?: readonly Outcome[] | undefined;
  calls: readonly StoryCall[];
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
  acceptedAt: string;
};
