import { ForeignAnswerError } from "../../lib/contract/client.ts";
import { CALL, ECHOED } from "../../lib/contract/echo.ts";

/** Path of a request that tells if the email service returns ids of calls still: it may be an earlier version by then. */
const KEY_CHECK = "/v1/api-key";

/** Adds the id of a call to a request. Returns the same form of headers. */
export const withCall = (init: RequestInit, id: string): RequestInit => {
  const { headers } = init;
  return { ...init, headers: Array.isArray(headers) ? [...headers, [CALL, id]] : { ...headers, [CALL]: id } };
};

/**
 * Creates a check that refuses the answer of another request, which a proxy may send on a kept connection. An email
 * service that never returned an id is believed.
 */
export const createAnswerCheck = () => {
  let echoes = false;
  return (url: string, init: RequestInit, answer: Response): Response => {
    const sent = new Headers(init.headers);
    const said = answer.headers.get(CALL);
    const isOther = ECHOED.some((name) => ![null, sent.get(name)].includes(answer.headers.get(name)));
    const isUnnamed = said === null && echoes && mayBeOwn(answer) && new URL(url).pathname !== KEY_CHECK;
    if (!isOther && !isUnnamed) {
      echoes = said !== null || (echoes && new URL(url).pathname !== KEY_CHECK);
      return answer;
    }
    // Its connection is not used again.
    void answer.body?.cancel().catch(() => {});
    const { status } = answer;
    const message = `Something in front of the email service answered ${status} with the answer of another request.`;
    throw new ForeignAnswerError(status, message);
  };
};

const mayBeOwn = ({ status, headers }: Response): boolean =>
  status < 500 && /json/i.test(headers.get("Content-Type") ?? "");
