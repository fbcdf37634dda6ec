import type { World } from "./world.ts";

/** Process, queue and contacts at the end, as lines for the trace of a broken promise. */
export const leftoversOf = ({ process, disk, model, wall }: World): string[] => {
  const { queue, pumping, interruption, pauses } = process()?.engine?.dispatcher ?? {};
  const items = [...(queue?.items.values() ?? [])].map(
    ({ seq, index, gatewayRequest: _, personQueue: __, sentFrom: ___, ...item }) => ({
      delivery: model.at(seq, index)?.id,
      ...item,
      due: item.due - wall(),
    }),
  );
  return [
    `The process: ${JSON.stringify({ pumping, interruption, pauses, alarm: (disk.alarm() ?? wall()) - wall() })}`,
    ...items.map((item) => `In the queue: ${JSON.stringify(item)}`),
    ...disk.sql
      .exec("SELECT * FROM contacts")
      .toArray()
      .map((row) => `Contact: ${JSON.stringify(row)}`),
  ];
};
