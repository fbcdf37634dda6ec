/** An action on many contacts. `word`: text to type as confirmation. */
export type BulkAction = {
  name: "addToList" | "removeFromList" | "unsubscribe" | "suppress" | "delete";
  label: string;
  effect: string;
  button: (contacts: string) => string;
  participle: string;
  needsList?: true;
  word?: string;
};

export const ACTIONS: readonly BulkAction[] = [
  {
    name: "addToList",
    label: "Add to a list",
    needsList: true,
    participle: "added",
    effect: "They get the mail of the list. Those that have left it stay off. No workflow starts.",
    button: (contacts) => `Add ${contacts}`,
  },
  {
    name: "removeFromList",
    label: "Remove from a list",
    needsList: true,
    participle: "removed",
    effect: "They get no more mail of the list.",
    button: (contacts) => `Remove ${contacts}`,
  },
  {
    name: "unsubscribe",
    label: "Unsubscribe",
    participle: "unsubscribed",
    effect: "They get no more marketing mail. Transactional mail is still sent.",
    button: (contacts) => `Unsubscribe ${contacts}`,
  },
  {
    name: "suppress",
    label: "Suppress",
    participle: "suppressed",
    effect: "No mail at all is sent to their addresses any more.",
    button: (contacts) => `Suppress ${contacts}`,
  },
  {
    name: "delete",
    label: "Delete",
    participle: "deleted",
    word: "delete",
    effect: "They and their events are deleted. This cannot be undone.",
    button: (contacts) => `Delete ${contacts}`,
  },
];
