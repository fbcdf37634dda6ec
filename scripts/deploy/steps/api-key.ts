import { ApiError, createClient, ForeignAnswerError } from "../../../src/lib/client.ts";
import type { Io, Question } from "../io.ts";

/** Asks for an API key and tests it, before the first webhook needs it. */
export const askApiKey = (
  { ask, fetch, print }: Pick<Io, "ask" | "fetch" | "print">,
  baseUrl: string,
  question: Pick<Question, "text" | "initial">,
): Promise<string> => {
  const check = async (apiKey: string): Promise<string | undefined> => {
    try {
      const { teamName } = await createClient({
        baseUrl,
        apiKey,
        fetch: (url, init) => fetch(new Request(url, init)),
      }).apiKey.test();
      print(`  The key works: team ${teamName}.`);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return `${baseUrl} refuses this key (${error.status}): ${error.message}`;
      if (error instanceof ForeignAnswerError)
        return `${baseUrl} does not answer like an email service: ${error.message}`;
      return `${baseUrl} does not answer: ${(error as Error).message}`;
    }
  };
  return ask({ ...question, variable: "EMAIL_API_KEY", secret: true, check });
};
