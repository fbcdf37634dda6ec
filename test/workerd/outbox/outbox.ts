import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { Monitor } from "../../../src/outbox/monitor/monitor.ts";
import { Outbox } from "../../../src/outbox/outbox.ts";

/** The dependencies that a bench gives to the Outbox of its name, for every process of that object. */
export type World = (storage: DurableObjectStorage) => Partial<Dependencies>;

/** By the object's name. An Outbox without an entry runs on the real clock. */
export const worlds = new Map<string, World>();

/** The Outbox with its parts open to tests and with the dependencies of a bench. */
export class TestOutbox extends Outbox {
  declare engine: Engine;
  declare monitor: Monitor;

  protected override dependencies(): Dependencies {
    return { ...super.dependencies(), ...worlds.get(this.ctx.id.name ?? "")?.(this.ctx.storage) };
  }
}
