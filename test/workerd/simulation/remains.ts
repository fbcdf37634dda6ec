import type { World } from "./world.ts";

/** What the object holds at the end, for whoever reads the trace of a broken promise. */
export const remainsOf = ({ process, disk, model, wall }: World): string[] => {
  const { queue, pumping, interruption, pauses } = process()?.engine?.dispatcher ?? {};
  const items = [...(queue?.items.values() ?? [])].map(({ seq, index, gatewayRequest: _, ...item }) => ({
    ...{ call: model.at(seq, index)?.id, ...item, due: item.due - wall() },
  }));
  return [
    `The process: ${JSON.stringify({ pumping, interruption, pauses, alarm: (disk.alarm() ?? wall()) - wall() })}`,
    ...items.map((item) => `In the queue: ${JSON.stringify(item)}`),
    ...disk.sql
      .exec("SELECT * FROM contacts")
      .toArray()
      .map((row) => `Who is who: ${JSON.stringify(row)}`),
  ];
};
