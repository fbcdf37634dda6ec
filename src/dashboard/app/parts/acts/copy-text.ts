import { toast } from "./toast.tsx";

/** Copies text with a toast. `what`: subject and verb, such as "The command is". */
export const copyText = (what: string, text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => toast(`${what} copied.`),
    () => toast("This browser did not allow to copy.", { tone: "bad" }),
  );
