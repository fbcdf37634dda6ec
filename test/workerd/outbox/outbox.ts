import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { Monitor } from "../../../src/outbox/monitor/monitor.ts";
import { Outbox } from "../../../src/outbox/outbox.ts";

/** Makes the dependencies of one Outbox process from the default ones. */
export type World = (own: Dependencies) => Dependencies;

/** By the object's name. An Outbox without an entry runs on the real clock. */
export const worlds = new Map<string, World>();

/** The Outbox with its parts open to tests and with the dependencies of a bench. */
export class TestOutbox extends Outbox {
  declare engine: Engine;
  declare monitor: Monitor;

  protected override dependencies(): Dependencies {
    const own = super.dependencies();
    return worlds.get(this.ctx.id.name ?? "")?.(own) ?? own;
  }
}
