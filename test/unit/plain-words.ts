/** Phrases that are difficult for non-native readers, each with a plainer one. */
const RIDDLES: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\bunder ?way\b/i, "in flight, in progress"],
  [/\b(come|comes|came|coming) to nothing\b/i, "settled without a request, failed"],
  [/\b(what )?(come|comes|came) of (it|them|each|every|a|the|this)\b/i, "the result of"],
  [/\bwhat (it|they|that|this) (comes|come|came) to\b/i, "the result"],
  [/\bwould come to\b/i, "would do"],
  [/\bwho is who\b/i, "identity links"],
  [/\bwhom? (it|a delivery|a webhook|they) (is|are) about\b/i, "the person, the contact"],
  [/\b(tell|tells|told) of\b/i, "say, report, announce"],
  [/\b(has|have|had) a say\b/i, "decides, affects"],
  [/\ba word in\b/i, "a turn"],
  [/\b(nobody|somebody|whoever)\b/i, "no person, another person, the one that"],
];

export const riddlesIn = (text: string): string[] =>
  RIDDLES.flatMap(([phrase, better]) => {
    const found = phrase.exec(text);
    return found ? [`"${found[0]}": better ${better}`] : [];
  });
