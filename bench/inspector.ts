import { once } from "node:events";
import { sleep } from "./outbox/report.ts";

type Answer = { id: number; result: unknown };

/** Returns a random port, which is probably free. */
export const freeInspectorPort = (): number => 40_000 + Math.floor(Math.random() * 20_000);

/** Connects to the inspector (Chrome DevTools Protocol), which accepts one connection. */
export const inspect = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/json`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  const open = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as Answer;
    open.get(id)?.(result);
    open.delete(id);
  });
  let last = 0;
  return {
    call: <T>(method: string, params: object = {}): Promise<T> =>
      new Promise((resolve) => {
        open.set(++last, resolve as (result: unknown) => void);
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
};

export type Inspector = Awaited<ReturnType<typeof inspect>>;

/** Sends requests to `url` meanwhile, because an idle Worker may not answer. */
export const awake = async <T>(url: string, answer: Promise<T>): Promise<T> => {
  let isAnswered = false;
  const answered = answer.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await (await fetch(`${url}/health`)).body?.cancel();
    await Promise.race([answered, sleep(50)]);
  }
  return answered;
};
