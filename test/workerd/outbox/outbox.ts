import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { Monitor } from "../../../src/outbox/monitor/monitor.ts";
import { Outbox } from "../../../src/outbox/outbox.ts";

/** What a bench gives to the Outbox of its name, for every process of it. */
export type World = (storage: DurableObjectStorage) => Partial<Dependencies>;

/** By the object's name. An Outbox without one runs on the real clock. */
export const worlds = new Map<string, World>();

/** The Outbox with its parts open to tests and with what a bench gives it from outside. */
export class TestOutbox extends Outbox {
  declare engine: Engine;
  declare monitor: Monitor;

  protected override dependencies(): Dependencies {
    return { ...super.dependencies(), ...worlds.get(this.ctx.id.name ?? "")?.(this.ctx.storage) };
  }
}
